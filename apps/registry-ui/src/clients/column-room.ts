import type { CSSProperties } from 'react';
import type { ClientColumn, Room } from './client-column.js';
import classes from './client-table.module.css';

/** From the narrowest on; the style sheet says in pixels. */
const ROOMS: readonly Room[] = ['middle', 'wide', 'widest'];

/** The boxes that select rows. */
const SELECTOR_WIDTH = '64px';

/** A name of some thirty characters; a table that cannot keep it free scrolls sideways instead. */
const LEAST_NAME_WIDTH = '220px';

/** What has a cell be left out where the window is too narrow for its column. */
export function classOfRoom({ room }: ClientColumn): string | undefined {
  return room && classes[room];
}

/** How wide the table is at least, for each width of the window. */
export function leastWidths(columns: readonly ClientColumn[]): CSSProperties {
  const widths = ROOMS.map((room, at) => {
    const shown = columns.filter((column) => !column.room || ROOMS.indexOf(column.room) <= at);
    const parts = [SELECTOR_WIDTH, ...shown.map(({ width }) => width ?? LEAST_NAME_WIDTH)];
    return [`--least-${room}`, `calc(${parts.join(' + ')})`];
  });
  return Object.fromEntries(widths) as CSSProperties;
}
