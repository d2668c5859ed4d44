import type { StoredClient } from '../stored-client.js';
import type { ClientFilter } from './client-filter.js';
import type { ClientOrder } from './client-order.js';
import type { ListPosition } from './list-cursor.js';

/** A page that is to be found. */
export interface WantedClients {
  readonly filter: ClientFilter;
  readonly order: ClientOrder;
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: ListPosition | undefined;
}

/** A Client and where it stands in the list. */
export interface FoundClient {
  readonly client: StoredClient;
  readonly position: ListPosition;
}
