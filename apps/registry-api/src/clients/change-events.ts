import type { Caller } from '../http/current-caller.js';
import { actorOf, type SecurityEvent } from '../security-events/security-event.js';
import { clientIdOf, type NewSecret, type PlannedChange } from './planned-change.js';
import type { StoredClient } from './stored-client.js';

/** Whether a change is a security event: of a Client of a developer, or of secrets. */
export function isOnRecord(change: PlannedChange): boolean {
  return eventOf(change) !== undefined;
}

/** @param stored revisions of the Clients whose change took effect */
export function changeEvents(
  changes: readonly PlannedChange[],
  stored: ReadonlyMap<string, string>,
  caller: Caller,
): SecurityEvent[] {
  const actor = actorOf(caller, caller.address);
  return changes.flatMap((change) => {
    const subject = clientIdOf(change);
    const event = stored.has(subject) ? eventOf(change) : undefined;
    return event ? [{ ...event, actor, subject }] : [];
  });
}

/** A deleted Client is removed for good, by a request for that or by a registration that replaces it. */
export function purgeEvent(
  client: Pick<StoredClient, 'clientId' | 'metadata'>,
  caller: Caller,
): SecurityEvent {
  const actor = actorOf(caller, caller.address);
  return { kind: 'deleted_client_purged', actor, subject: client.clientId, details: named(client) };
}

function eventOf(change: PlannedChange): Pick<SecurityEvent, 'kind' | 'details'> | undefined {
  switch (change.kind) {
    case 'registered': {
      const { managedBy, metadata, isPending } = change.client;
      const { client_name: name, token_endpoint_auth_method: method } = metadata;
      if (managedBy !== 'developers') return undefined;
      return {
        kind: 'client_registered',
        details: {
          ...{ client_name: name, token_endpoint_auth_method: method },
          ...(isPending && { pending: true }),
        },
      };
    }
    case 'secret_rotated':
      return secretEvent(change.secret, change.formerUntil);
    case 'updated':
      return change.secret === undefined ? undefined : secretEvent(change.secret, null);
    case 'enabled':
      return change.before.isPending ? { kind: 'client_approved', details: named(change.before) } : undefined;
    case 'disabled':
      return change.isUnused && { kind: 'unused_client_disabled', details: named(change.before) };
    case 'deleted':
      return change.because && { kind: DELETIONS[change.because], details: named(change.before) };
    case 'restored':
      return undefined;
  }
}

/** By the reason for which the registry deletes a Client. */
const DELETIONS = { unused: 'unused_client_deleted', not_approved: 'pending_client_deleted' } as const;

function named({ metadata }: Pick<StoredClient, 'metadata'>) {
  return { client_name: metadata.client_name };
}

/** @param secret null: the Client no longer has one @param formerUntil null: the former secret ends at once */
function secretEvent(secret: NewSecret | null, formerUntil: Date | null) {
  const former_valid_until = formerUntil?.toISOString() ?? null;
  const details = secret
    ? { former_valid_until, expires_at: secret.expiresAt?.toISOString() ?? null }
    : { former_valid_until, removed: true };
  return { kind: 'secret_rotated', details } as const;
}
