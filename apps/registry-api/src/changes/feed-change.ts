import type { Capabilities, ClientDocument } from '@svc/client-metadata';
import { toClientDocument } from '../clients/client-document.js';
import type { StoredClient } from '../clients/stored-client.js';
import { type ChangeDocument, type ChangeRow, toChangeDocument } from './change-document.js';

/** A change with the Client beside it; the Client's columns are null when there is none. */
export type FeedChangeRow = ChangeRow & (StoredClient | { readonly clientId: null });

/** A change as the feed tells it. */
export interface FeedChange extends ChangeDocument {
  /**
   * The Client as it stands when the change is read, as `GET /client/{client_id}` answers: never in a state from before the
   * change, so whoever reads old changes brings no former state back. Null when there is no such Client any more.
   */
  readonly client: ClientDocument | null;
}

export function toFeedChange(stored: FeedChangeRow, capabilities: Capabilities): FeedChange {
  const client = stored.clientId === null ? null : toClientDocument(stored, capabilities);
  return { ...toChangeDocument(stored), client };
}
