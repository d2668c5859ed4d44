import { errorCodeOf, errorDescriptionOf, type Violation, quote } from '@svc/client-metadata';
import { RegistryError } from '../errors/registry-error.js';

/** A request body does not describe a valid Client. */
export class InvalidClientError extends RegistryError {
  override readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    const description = errorDescriptionOf(violations);
    super(errorCodeOf(violations), description, { detail: description, violations });
    this.violations = violations;
  }
}

export function clientNotFound(clientId: string): RegistryError {
  return new RegistryError('client_not_found', `there is no client ${quote(clientId)}`);
}

export function deletedClientNotFound(clientId: string): RegistryError {
  return new RegistryError(
    'client_not_found',
    `there is no deleted client ${quote(clientId)} to restore or purge`,
  );
}

export function clientExists(clientId: string): RegistryError {
  const message = `a client ${quote(clientId)} is already registered`;
  const violations = [{ field: '/preferred_client_id', code: 'taken', message }];
  return new RegistryError('client_exists', message, { violations });
}

/** The Client is no longer in the state that the caller has seen. */
export function clientChanged(clientId: string): RegistryError {
  return new RegistryError(
    'client_changed',
    `the client ${quote(clientId)} has changed in the meantime; read it again`,
  );
}

/** An Idempotency-Key registered this Client, or gave it a new secret, and the Client was deleted since. */
export function idempotentClientGone(clientId: string): RegistryError {
  return new RegistryError(
    'idempotent_client_gone',
    `this Idempotency-Key was used for the client ${quote(clientId)}, which has since been deleted`,
  );
}

type CursorProblem = 'was not issued by this list' | 'belongs to a different sort or filter';

export function invalidCursor(problem: CursorProblem = 'was not issued by this list'): RegistryError {
  const message = `the cursor ${problem}; start without one`;
  const violations = [{ field: '/cursor', code: 'cursor', message }];
  return new RegistryError('invalid_cursor', message, { violations });
}
