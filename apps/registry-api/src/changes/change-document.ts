import type { ChangeKind } from '../clients/client-change.entity.js';
import type { Actor } from '../http/current-actor.js';

/** What the database says of every change, without what it did to the metadata. */
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

/** One change of one Client as callers see it, in the feed and in a Client's history. */
export interface ChangeDocument {
  /** Later changes have higher numbers; some numbers are never used. */
  readonly seq: number;
  readonly client_id: string;
  readonly kind: ChangeKind;
  /** RFC 3339, in UTC. */
  readonly at: string;
  readonly actor: Actor;
}

/** Columns of `client_change ch` under the names of `ChangeRow`. */
export const CHANGE_COLUMNS = `
  ch.seq AS "changeSeq", ch.client_id AS "changedClientId", ch.kind, ch.at,
  ch.actor_id AS "actorId", ch.actor_name AS "actorName", ch.address`;

/** The only place that says what a change looks like outside. */
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
