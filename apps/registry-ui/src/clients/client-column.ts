import type { ReactNode } from 'react';
import type { ClientDocument } from '@svc/client-metadata';

/** How wide a window must be for a column to be shown in it. */
export type Room = 'middle' | 'wide' | 'widest';

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
