import { PreparedStatement } from '../database/prepared-statement.js';
import { poolOf } from '../database/transaction.js';
import { type ChangePosition, formatPosition, positionIn } from './change-position.js';
import type { ChangeKind } from './client-change.entity.js';
import type { PlannedChange } from './planned-change.js';
import { restorableSince } from './restorable-clients.js';
import type { DataSource } from 'typeorm';

/** A change that took effect. */
export interface StoredChange {
  readonly clientId: string;
  /** The position of the change, which is the Client's revision after it. */
  readonly revision: string;
  /** Whether a registration has removed the deleted Client that it was to replace. */
  readonly isReplacement?: boolean;
}

/*
 * One statement for each kind of change, of one or more distinct Clients: `$1` is a JSON list with an object for each
 * Client (a text parameter, which pg can send as bytes), `$2` the time, `$3` to `$5` the actor's id, name and address. A
 * statement changes the Clients and writes their history, both or neither. It returns the Clients whose change took
 * effect: not those whose client_id is taken, or that are no longer in the state of `revision`.
 */

const CLIENT_ID = 'client_id text COLLATE "C"';

/** @param columns of the objects in `$1`, besides the client_id */
function given(columns: string): string {
  return `given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::text::jsonb) AS g(${CLIENT_ID}, ${columns}))`;
}

/** The column `after` of the history. */
const AFTER = {
  before: 'NULL::jsonb',
  after: 'metadata',
  both: `metadata || after_more || CASE WHEN managed_by IS NULL THEN '{}' ELSE jsonb_build_object('managed_by', managed_by) END`,
  none: 'NULL::jsonb',
} as const;

/**
 * Expects the time as `$2` and the actor as `$3` to `$5`.
 *
 * @param source the CTE of the changed Clients, with their labels: after the change, or before a deletion
 */
export function history(kind: ChangeKind, source: string, states: keyof typeof AFTER): string {
  const before = states === 'before' || states === 'both' ? 'before' : 'NULL::jsonb';
  const after = AFTER[states];
  const labelsBefore = states === 'both' ? `nullif(coalesce(before->'labels', '{}'), labels)` : 'NULL::jsonb';
  return `history AS (
     INSERT INTO client_change (seq, mark, client_id, kind, at, actor_id, actor_name, address, before, after,
                                labels, labels_before)
     SELECT seq, mark, client_id, '${kind}', $2, $3, $4, $5, ${before}, ${after}, labels, ${labelsBefore} FROM ${source}
   )`;
}

/** What every such statement returns. */
export const CHANGED = `SELECT client_id AS "clientId", ${positionIn('changed')} AS revision FROM changed`;

/** The next change's number and mark. */
export const NEXT = 'seq = next_change_seq(), mark = new_change_mark()';

/** The Client is still in the state that the change was planned on. */
const UNCHANGED = `c.client_id = g.client_id AND ${positionIn('c')} = g.revision`;

/**
 * `hash` is base64, null for a Client without a secret; so is `token_hash`, of Clients that developers register. `replaces` is
 * the revision of a deleted Client with the same id. Others that can be restored keep their id, and so does a Client that is
 * being deleted. The deleted Client is removed first, as a restoration does, so that the two never wait for each other.
 * Subqueries, not joins: a join would change the order of the Clients.
 *
 * `$6` the time from which deletions are kept
 */
const REGISTER = new PreparedStatement<StoredChange>(
  'clients_register',
  `WITH ${given(
    `metadata jsonb, warnings text[], cookie_name text, hash text, pepper_id text, hint text, expires_at timestamptz,
     token_hash text, token_expires_at timestamptz, search_text text, managed_by text, imported boolean,
     foreign_hash text, foreign_scheme text, foreign_until timestamptz, pending boolean, replaces text`,
  )}, kept AS MATERIALIZED (
     SELECT d.client_id FROM deleted_client d JOIN given g USING (client_id)
     WHERE ${positionIn('d')} IS DISTINCT FROM g.replaces AND ${restorableSince('$6')}
   ), purged AS (
     DELETE FROM deleted_client d USING given g
     WHERE d.client_id = g.client_id AND d.client_id <> ALL (ARRAY(SELECT client_id FROM kept))
     RETURNING d.client_id, g.replaces
   ), changed AS (
     INSERT INTO client (client_id, metadata, warnings, cookie_name, search_text, managed_by, registered_by,
                         registered_by_name, enabled, pending, seq, mark, created_at, updated_at)
     SELECT client_id, metadata, warnings, cookie_name, search_text, managed_by, $3, $4,
            pending IS NOT TRUE, pending IS TRUE, next_change_seq(), new_change_mark(), $2, $2
     FROM given g
     WHERE (SELECT count(*) FROM purged) >= 0 AND g.client_id <> ALL (ARRAY(SELECT client_id FROM kept))
       AND (SELECT true FROM client c WHERE c.client_id = g.client_id) IS NULL
     ON CONFLICT (client_id) DO NOTHING
     RETURNING client_id, seq, mark, metadata, labels
   ), secret AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, expires_at, created_at, imported, foreign_hash,
                                foreign_scheme, foreign_until)
     SELECT client_id, decode(hash, 'base64'), pepper_id, hint, expires_at, $2, coalesce(imported, false), foreign_hash,
            foreign_scheme, foreign_until
     FROM changed JOIN given USING (client_id)
     WHERE hash IS NOT NULL
   ), registration AS (
     INSERT INTO client_registration (client_id, token_hash, expires_at)
     SELECT client_id, decode(token_hash, 'base64'), token_expires_at FROM changed JOIN given USING (client_id)
     WHERE token_hash IS NOT NULL
   ), ${history('registered', 'changed', 'after')}
   SELECT client_id AS "clientId", ${positionIn('changed')} AS revision,
          EXISTS (SELECT FROM purged p WHERE p.client_id = changed.client_id AND p.replaces IS NOT NULL) AS "isReplacement"
   FROM changed`,
);

/**
 * `managed_by`: null if it stays. `replaces_secrets`: deletes the existing secrets, and stores the one of `hash` if there is
 * one.
 */
const UPDATE = new PreparedStatement<StoredChange>(
  'clients_update',
  `WITH ${given(
    `revision text, metadata jsonb, warnings text[], before jsonb, search_text text, replaces_secrets boolean,
     hash text, pepper_id text, hint text, expires_at timestamptz, managed_by text, temporary_uris jsonb, after_more jsonb`,
  )}, changed AS (
     UPDATE client c
     SET metadata = g.metadata, warnings = g.warnings, search_text = g.search_text,
         managed_by = coalesce(g.managed_by, c.managed_by), temporary_uris = g.temporary_uris, ${NEXT}, updated_at = $2
     FROM given g WHERE ${UNCHANGED}
     RETURNING c.client_id, c.seq, c.mark, c.metadata, c.labels, g.before, g.replaces_secrets, g.hash, g.pepper_id, g.hint,
               g.expires_at, g.managed_by, g.after_more
   ), gone AS (
     DELETE FROM client_secret s USING changed
     WHERE s.client_id = changed.client_id AND changed.replaces_secrets
   ), made AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, expires_at, created_at)
     SELECT client_id, decode(hash, 'base64'), pepper_id, hint, expires_at, $2 FROM changed WHERE hash IS NOT NULL
   ), ${history('updated', 'changed', 'both')}
   ${CHANGED}`,
);

/** A trigger resets why the Client was disabled. */
const ENABLE = new PreparedStatement<StoredChange>(
  'clients_enabled',
  `WITH ${given('revision text')}, changed AS (
     UPDATE client c SET enabled = true, ${NEXT}, updated_at = $2
     FROM given g WHERE ${UNCHANGED}
     RETURNING c.client_id, c.seq, c.mark, c.labels
   ), ${history('enabled', 'changed', 'none')}
   ${CHANGED}`,
);

const DISABLE = new PreparedStatement<StoredChange>(
  'clients_disabled',
  `WITH ${given('revision text, unused boolean, pending boolean')}, changed AS (
     UPDATE client c
     SET enabled = false, pending = g.pending IS TRUE, pending_since = CASE WHEN g.pending THEN $2::timestamptz END,
         unused_at = CASE WHEN g.unused THEN $2::timestamptz END, ${NEXT}, updated_at = $2
     FROM given g WHERE ${UNCHANGED}
     RETURNING c.client_id, c.seq, c.mark, c.labels
   ), ${history('disabled', 'changed', 'none')}
   ${CHANGED}`,
);

/** Keeps the newest secret that is still accepted until `former_until`, if given, and deletes the others: at most two stay valid. */
const ROTATE = new PreparedStatement<StoredChange>(
  'clients_rotate_secret',
  `WITH ${given('revision text, hash text, pepper_id text, hint text, expires_at timestamptz, former_until timestamptz')}, changed AS (
     UPDATE client c SET ${NEXT}, updated_at = $2
     FROM given g WHERE ${UNCHANGED}
     RETURNING c.client_id, c.seq, c.mark, c.labels, g.hash, g.pepper_id, g.hint, g.expires_at, g.former_until
   ), newest AS (
     SELECT max(s.id) AS id, former_until FROM client_secret s JOIN changed USING (client_id)
     WHERE former_until IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > $2)
       AND (s.foreign_until IS NULL OR s.foreign_until > $2)
     GROUP BY client_id, former_until
   ), kept AS (
     UPDATE client_secret s SET expires_at = least(s.expires_at, newest.former_until)
     FROM newest WHERE s.id = newest.id
   ), gone AS (
     DELETE FROM client_secret s USING changed
     WHERE s.client_id = changed.client_id AND NOT EXISTS (SELECT FROM newest WHERE newest.id = s.id)
   ), made AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, expires_at, created_at)
     SELECT client_id, decode(hash, 'base64'), pepper_id, hint, expires_at, $2 FROM changed
   ), ${history('secret_rotated', 'changed', 'none')}
   ${CHANGED}`,
);

/** What is kept of a deleted Client. A Client with its id, registered by a former version, replaces it when deleted. */
const KEPT_COLUMNS =
  'client_id, metadata, labels, temporary_uris, cookie_name, managed_by, registered_by, registered_by_name, pending, created_at';

function excluded(columns: string): string {
  return columns.replace(/\w+/g, 'excluded.$&');
}

const DELETE = new PreparedStatement<StoredChange>(
  'clients_delete',
  `WITH ${given('revision text')}, deleted AS (
     DELETE FROM client c USING given g WHERE ${UNCHANGED}
     RETURNING c.client_id, c.metadata, c.labels, c.temporary_uris, c.cookie_name, c.managed_by, c.registered_by,
               c.registered_by_name, c.pending, c.created_at
   ), changed AS MATERIALIZED (
     SELECT next_change_seq() AS seq, new_change_mark() AS mark, metadata AS before, deleted.* FROM deleted
   ), kept AS (
     INSERT INTO deleted_client AS d (${KEPT_COLUMNS}, seq, mark, deleted_at, deleted_by, deleted_by_name)
     SELECT ${KEPT_COLUMNS}, seq, mark, $2, $3, $4 FROM changed
     ON CONFLICT (client_id) DO UPDATE SET (${KEPT_COLUMNS}, seq, mark, deleted_at, deleted_by, deleted_by_name)
       = (${excluded(KEPT_COLUMNS)}, excluded.seq, excluded.mark, excluded.deleted_at, excluded.deleted_by, excluded.deleted_by_name)
   ), ${history('deleted', 'changed', 'before')}
   ${CHANGED}`,
);

/** `revision`: the deletion's. */
const RESTORE = new PreparedStatement<StoredChange>(
  'clients_restore',
  `WITH ${given('revision text, warnings text[], search_text text')}, gone AS (
     DELETE FROM deleted_client c USING given g WHERE ${UNCHANGED}
     RETURNING c.*, g.warnings, g.search_text
   ), changed AS (
     INSERT INTO client (client_id, metadata, temporary_uris, warnings, cookie_name, search_text, managed_by, registered_by,
                         registered_by_name, enabled, pending, pending_since, seq, mark, created_at, updated_at)
     SELECT client_id, metadata, temporary_uris, warnings, cookie_name, search_text, managed_by, registered_by,
            registered_by_name, false, pending, CASE WHEN pending THEN $2::timestamptz END, next_change_seq(), new_change_mark(),
            created_at, $2
     FROM gone
     ON CONFLICT (client_id) DO NOTHING
     RETURNING client_id, seq, mark, metadata, labels
   ), ${history('restored', 'changed', 'after')}
   ${CHANGED}`,
);

export const CHANGE_STATEMENTS: Readonly<Record<PlannedChange['kind'], PreparedStatement<StoredChange>>> = {
  registered: REGISTER,
  updated: UPDATE,
  enabled: ENABLE,
  disabled: DISABLE,
  secret_rotated: ROTATE,
  deleted: DELETE,
  restored: RESTORE,
};

/** How far changes can be read without missing one that commits later. */
export interface ChangeHorizon {
  /** The last such change; it may move back a little. */
  readonly last: ChangePosition;
  /** The last sequence number issued, perhaps to an uncommitted change. */
  readonly issued: number;
}

const HORIZON = new PreparedStatement<{ seq: string; mark: string; issued: string }>(
  'change_position',
  'SELECT seq, mark, issued FROM change_position()',
  // It inspects locks, which standbys do not know about.
  'current',
);

/** The last change that later reads of the current request see, with all that precede it. */
export async function readLastChange(dataSource: DataSource): Promise<string> {
  const lastOfStandby = await poolOf(dataSource).standbys?.lastChange();
  return lastOfStandby ?? formatPosition((await readHorizon(dataSource)).last);
}

/** Every later statement on the primary sees all changes up to the last one. */
export async function readHorizon(dataSource: DataSource): Promise<ChangeHorizon> {
  const [row] = await HORIZON.run(dataSource, []);
  // Numbers stay far below 2^53: a thousand changes a second would take 285,000 years.
  return { last: { seq: Number(row?.seq), mark: row?.mark ?? '' }, issued: Number(row?.issued) };
}
