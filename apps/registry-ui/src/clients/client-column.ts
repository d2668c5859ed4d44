import type { CSSProperties, ReactNode } from 'react';
import type { ClientDocument } from '@svc/client-metadata';
import classes from './client-table.module.css';

/** How wide a window must be for a column to be shown in it. */
type Room = 'middle' | 'wide' | 'widest';

/** One column of the list. */
export interface ClientColumn {
  readonly id: string;
  readonly label: string;
  /** A length of CSS; a column without a width shares what is left. */
  readonly width?: string;
  /** Left out where the window has less room. */
  readonly room?: Room;
  /** Shown whatever is chosen. */
  readonly always?: boolean;
  /** Shown until something else is chosen. */
  readonly usual?: boolean;
  /** What `GET /client` sorts by, where it can. */
  readonly sort?: string;
  /** Where the first click puts the last first, as for times. */
  readonly lastFirst?: boolean;
  readonly cell: (client: ClientDocument) => ReactNode;
}

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
