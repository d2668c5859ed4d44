import type { Capabilities } from '@svc/client-metadata';
import type { ChangeKind } from '../clients/client-change.entity.js';
import { toClientDocument } from '../clients/client-document.js';
import type { StoredClient } from '../clients/stored-client.js';
import type { ChangeDocument, FeedChange } from './change.dto.js';

/** A stored change, without what it did to the metadata. */
export interface ChangeRow {
  /** A bigint, as the driver gives it. */
  readonly changeSeq: string;
  readonly changedClientId: string;
  readonly kind: ChangeKind;
  readonly at: Date;
  readonly actorId: string;
  readonly actorName: string;
  readonly address: string;
}

/** Columns of `client_change ch` under the names of `ChangeRow`. */
export const CHANGE_COLUMNS = `
  ch.seq AS "changeSeq", ch.client_id AS "changedClientId", ch.kind, ch.at,
  ch.actor_id AS "actorId", ch.actor_name AS "actorName", ch.address`;

/** The one place that defines how callers see a change. */
export function toChangeDocument(change: ChangeRow): ChangeDocument {
  const { changeSeq, changedClientId, kind, at, actorId, actorName, address } = change;
  return {
    seq: Number(changeSeq),
    client_id: changedClientId,
    kind,
    at: at.toISOString(),
    actor: { id: actorId, name: actorName, address },
  };
}

/** A change and its Client, whose columns are null when it no longer exists. */
export type FeedChangeRow = ChangeRow & (StoredClient | { readonly clientId: null });

export function toFeedChange(stored: FeedChangeRow, capabilities: Capabilities): FeedChange {
  const client = stored.clientId === null ? null : toClientDocument(stored, capabilities);
  return { ...toChangeDocument(stored), client };
}
