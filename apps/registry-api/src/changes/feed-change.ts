import type { Capabilities } from '@svc/client-metadata';
import { toClientDocument } from '../clients/client-document.js';
import type { StoredClient } from '../clients/stored-client.js';
import type { FeedChange } from './change.dto.js';
import { type ChangeRow, toChangeDocument } from './change-document.js';

/** A change with the Client beside it; the Client's columns are null when there is none. */
export type FeedChangeRow = ChangeRow & (StoredClient | { readonly clientId: null });

export function toFeedChange(stored: FeedChangeRow, capabilities: Capabilities): FeedChange {
  const client = stored.clientId === null ? null : toClientDocument(stored, capabilities);
  return { ...toChangeDocument(stored), client };
}
