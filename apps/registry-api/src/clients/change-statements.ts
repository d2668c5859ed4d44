import { PreparedStatement } from '../database/prepared-statement.js';
import type { ChangeKind } from './client-change.entity.js';

/** A change that took effect. */
export interface StoredChange {
  readonly clientId: string;
  readonly seq: string;
}

/*
 * One statement for each kind of change, of one or more distinct Clients: `$1` is a JSON list with an object for each
 * Client, `$2` the time, `$3` to `$5` the actor's id, name and address. A statement changes the Clients and writes their
 * history, both or neither. It returns the Clients whose change took effect: not those whose client_id is taken, or that
 * are no longer in the state of `seq`.
 */

const CLIENT_ID = 'client_id text COLLATE "C"';

/** @param columns of the objects in `$1`, besides the client_id */
function given(columns: string): string {
  return `given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS g(${CLIENT_ID}, ${columns}))`;
}

/** @param source the CTE of the changed Clients */
function history(kind: ChangeKind, source: string, states: 'before' | 'after' | 'both' | 'none'): string {
  const before = states === 'before' || states === 'both' ? 'before' : 'NULL::jsonb';
  const after = states === 'after' || states === 'both' ? 'metadata' : 'NULL::jsonb';
  return `history AS (
     INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address, before, after)
     SELECT seq, client_id, '${kind}', $2, $3, $4, $5, ${before}, ${after} FROM ${source}
   )`;
}

const CHANGED = 'SELECT client_id AS "clientId", seq FROM changed';

/** `hash` is base64, null for a Client without a secret; so is `token_hash`, of Clients that developers register. */
const REGISTER = new PreparedStatement<StoredChange>(
  'clients_register',
  `WITH ${given(
    `metadata jsonb, warnings text[], cookie_name text, hash text, pepper_id text, hint text, token_hash text,
     search_text text`,
  )}, changed AS (
     INSERT INTO client (client_id, metadata, warnings, cookie_name, search_text, seq, created_at, updated_at)
     SELECT client_id, metadata, warnings, cookie_name, search_text, next_change_seq(), $2, $2 FROM given
     ON CONFLICT (client_id) DO NOTHING
     RETURNING client_id, seq, metadata
   ), secret AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at)
     SELECT client_id, decode(hash, 'base64'), pepper_id, hint, $2 FROM changed JOIN given USING (client_id)
     WHERE hash IS NOT NULL
   ), registration AS (
     INSERT INTO client_registration (client_id, token_hash)
     SELECT client_id, decode(token_hash, 'base64') FROM changed JOIN given USING (client_id)
     WHERE token_hash IS NOT NULL
   ), ${history('registered', 'changed', 'after')}
   ${CHANGED}`,
);

/** `replaces_secrets`: deletes the existing secrets, and stores the one of `hash` if there is one. */
const UPDATE = new PreparedStatement<StoredChange>(
  'clients_update',
  `WITH ${given(
    `seq bigint, metadata jsonb, warnings text[], before jsonb, search_text text, replaces_secrets boolean,
     hash text, pepper_id text, hint text`,
  )}, changed AS (
     UPDATE client c
     SET metadata = g.metadata, warnings = g.warnings, search_text = g.search_text, seq = next_change_seq(), updated_at = $2
     FROM given g WHERE c.client_id = g.client_id AND c.seq = g.seq
     RETURNING c.client_id, c.seq, c.metadata, g.before, g.replaces_secrets, g.hash, g.pepper_id, g.hint
   ), gone AS (
     DELETE FROM client_secret s USING changed
     WHERE s.client_id = changed.client_id AND changed.replaces_secrets
   ), made AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at)
     SELECT client_id, decode(hash, 'base64'), pepper_id, hint, $2 FROM changed WHERE hash IS NOT NULL
   ), ${history('updated', 'changed', 'both')}
   ${CHANGED}`,
);

function setEnabled(kind: 'enabled' | 'disabled'): PreparedStatement<StoredChange> {
  return new PreparedStatement(
    `clients_${kind}`,
    `WITH ${given('seq bigint')}, changed AS (
       UPDATE client c
       SET enabled = ${String(kind === 'enabled')}, seq = next_change_seq(), updated_at = $2
       FROM given g WHERE c.client_id = g.client_id AND c.seq = g.seq
       RETURNING c.client_id, c.seq
     ), ${history(kind, 'changed', 'none')}
     ${CHANGED}`,
  );
}

/** Keeps the newest existing secret until `former_until`, if given, and deletes the others: at most two stay valid. */
const ROTATE = new PreparedStatement<StoredChange>(
  'clients_rotate_secret',
  `WITH ${given('seq bigint, hash text, pepper_id text, hint text, former_until timestamptz')}, changed AS (
     UPDATE client c SET seq = next_change_seq(), updated_at = $2
     FROM given g WHERE c.client_id = g.client_id AND c.seq = g.seq
     RETURNING c.client_id, c.seq, g.hash, g.pepper_id, g.hint, g.former_until
   ), newest AS (
     SELECT max(s.id) AS id, former_until FROM client_secret s JOIN changed USING (client_id)
     WHERE former_until IS NOT NULL GROUP BY client_id, former_until
   ), kept AS (
     UPDATE client_secret s SET expires_at = least(s.expires_at, newest.former_until)
     FROM newest WHERE s.id = newest.id
   ), gone AS (
     DELETE FROM client_secret s USING changed
     WHERE s.client_id = changed.client_id AND NOT EXISTS (SELECT FROM newest WHERE newest.id = s.id)
   ), made AS (
     INSERT INTO client_secret (client_id, hash, pepper_id, hint, created_at)
     SELECT client_id, decode(hash, 'base64'), pepper_id, hint, $2 FROM changed
   ), ${history('secret_rotated', 'changed', 'none')}
   ${CHANGED}`,
);

const DELETE = new PreparedStatement<StoredChange>(
  'clients_delete',
  `WITH ${given('seq bigint')}, deleted AS (
     DELETE FROM client c USING given g WHERE c.client_id = g.client_id AND c.seq = g.seq
     RETURNING c.client_id, c.metadata
   ), changed AS MATERIALIZED (
     SELECT next_change_seq() AS seq, client_id, metadata AS before FROM deleted
   ), ${history('deleted', 'changed', 'before')}
   ${CHANGED}`,
);

export const CHANGE_STATEMENTS: Readonly<Record<ChangeKind, PreparedStatement<StoredChange>>> = {
  registered: REGISTER,
  updated: UPDATE,
  enabled: setEnabled('enabled'),
  disabled: setEnabled('disabled'),
  secret_rotated: ROTATE,
  deleted: DELETE,
};
