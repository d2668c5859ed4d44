import type { CSSProperties } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import type { Clock } from '../elements/relative-time.js';
import classes from './client-table.module.css';

/** How wide a window must be to show a column. */
type Room = 'middle' | 'wide' | 'widest';

/** What is marked in the rows. */
export interface Searched {
  readonly words: string;
  /** Marked in redirect URIs only. */
  readonly host: string;
}

/** What rows show besides their client. */
export interface RowContext {
  readonly searched: Searched;
  readonly clock: Clock;
  /** Whose ID was just copied. */
  readonly copiedId: string | undefined;
}

/** Drawn without React, and filled with one client after another. */
export interface CellContent {
  readonly node: Node;
  readonly fill: (client: ClientDocument, context: RowContext) => void;
  /** Draws what shows only while the row is pointed at or has the focus: in each row, it would slow down scrolling. */
  readonly pointAt?: () => void;
}

export interface ClientColumn {
  readonly id: string;
  readonly label: string;
  /** A CSS length; columns without one share the remaining space. */
  readonly width?: string;
  /** Hidden in narrower windows. */
  readonly room?: Room;
  /** Cannot be hidden by the user. */
  readonly always?: boolean;
  /** Shown by default. */
  readonly usual?: boolean;
  /** The sort key in `GET /client`, if sortable. */
  readonly sort?: string;
  /** The first click sorts in descending order, as is useful for times. */
  readonly lastFirst?: boolean;
  /** Makes the content of a cell. */
  readonly newCell: () => CellContent;
}

/** From narrow to wide; the style sheet has the pixels. */
const ROOMS: readonly Room[] = ['middle', 'wide', 'widest'];

/** The checkbox column. */
const SELECTOR_WIDTH = '64px';

/** About thirty characters; a table without that much space scrolls sideways. */
const LEAST_NAME_WIDTH = '220px';

/** The class that hides a cell in windows too narrow for its column. */
export function classOfRoom({ room }: ClientColumn): string | undefined {
  return room && classes[room];
}

/** The table's minimum widths for each window width. */
export function leastWidths(columns: readonly ClientColumn[]): CSSProperties {
  const widths = ROOMS.map((room, at) => {
    const shown = columns.filter((column) => !column.room || ROOMS.indexOf(column.room) <= at);
    const parts = [SELECTOR_WIDTH, ...shown.map(({ width }) => width ?? LEAST_NAME_WIDTH)];
    return [`--least-${room}`, `calc(${parts.join(' + ')})`];
  });
  return Object.fromEntries(widths) as CSSProperties;
}
