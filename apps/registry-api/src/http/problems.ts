import { errorCodeOf, errorDescriptionOf } from '@svc/client-metadata';
import { JsonBodyError, NoPlaceLeftError, Problem } from '@svc/service-kit';
import { ChangesGoneError } from '../changes/changes.errors.js';
import {
  ClientChangedError,
  ClientExistsError,
  ClientNotFoundError,
  InvalidClientError,
  InvalidCursorError,
} from '../clients/client.errors.js';
import { isConflict } from '../database/is-conflict.js';
import { isDatabaseAway } from '../database/is-database-away.js';
import { isOutOfRoom } from '../database/is-out-of-room.js';
import { isOutOfTime } from '../database/is-out-of-time.js';
import {
  IdempotencyKeyReusedError,
  IdempotentClientGoneError,
  IdempotentDryRunError,
  IdempotentTokenEndedError,
  InvalidIdempotencyKeyError,
} from '../idempotency/idempotency.errors.js';
import {
  BodyTooLargeError,
  ImportAbandonedError,
  ImportConflictError,
  ImportRefusedError,
  ImportUnderWayError,
  NoRoomForBodyError,
  TooManyClientsError,
} from '../import/import.errors.js';
import { IssuerUnavailableError } from '../oidc/issuer-keys.js';
import { RegistrationDisabledError, RegistrationTokenError } from '../registration/registration.errors.js';
import {
  GrantorEndedError,
  ScopeNotHeldError,
  TokenNotFoundError,
  TooManyTokensError,
} from '../tokens/token.errors.js';

/** Seconds after which a caller may try again when the database was away or busy. */
const RETRY_AFTER = '2';

/** The only place where the registry's own errors become answers. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof InvalidClientError) return invalidClient(error);
  if (error instanceof JsonBodyError) return invalidBody(error);
  if (error instanceof ClientExistsError) return clientExists(error);
  if (error instanceof InvalidCursorError) return invalidCursor(error);
  if (error instanceof ImportRefusedError) return importRefused(error);
  if (error instanceof BodyTooLargeError) return bodyTooLarge(error);
  if (error instanceof NoPlaceLeftError) return tryLater(error, error.share ? 429 : 503);
  if (error instanceof ImportUnderWayError) return tryLater(error, 503);
  if (error instanceof RegistrationTokenError) return invalidToken(error, error.presented);
  if (error instanceof GrantorEndedError) return invalidToken(error, true);
  if (error instanceof RegistrationDisabledError) return registrationDisabled(error);
  if (error instanceof IssuerUnavailableError) return issuerAway(error);
  if (isDatabaseAway(error)) return databaseAway(error);
  if (isOutOfTime(error)) return outOfTime(error);
  if (isOutOfRoom(error) || error instanceof NoRoomForBodyError) return outOfRoom(error);
  if (isConflict(error) || error instanceof ImportConflictError) return conflict(error);
  return plainProblem(error);
}

/** The status of errors whose message says all. */
const PLAIN_ERRORS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  [ImportAbandonedError, 400],
  [InvalidIdempotencyKeyError, 400],
  [IdempotentDryRunError, 400],
  [ScopeNotHeldError, 403],
  [ClientNotFoundError, 404],
  [TokenNotFoundError, 404],
  [IdempotencyKeyReusedError, 409],
  [IdempotentClientGoneError, 409],
  [IdempotentTokenEndedError, 409],
  [TooManyTokensError, 409],
  [ChangesGoneError, 410],
  [ClientChangedError, 412],
  [TooManyClientsError, 413],
]);

function plainProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = PLAIN_ERRORS.get(error.constructor);
  return status === undefined ? undefined : new Problem({ status, detail: sentence(error) });
}

function invalidClient({ problems }: InvalidClientError): Problem {
  const detail = errorDescriptionOf(problems);
  return new Problem({ status: 400, error: errorCodeOf(problems), detail, errors: problems });
}

function invalidBody(error: JsonBodyError): Problem {
  return new Problem({ status: 400, error: 'invalid_client_metadata', detail: error.sentence });
}

function clientExists(error: ClientExistsError): Problem {
  const errors = [{ field: '/preferred_client_id', code: 'taken', message: error.message }];
  return new Problem({ status: 409, error: 'invalid_client_metadata', detail: sentence(error), errors });
}

function invalidCursor(error: InvalidCursorError): Problem {
  const errors = [{ field: '/cursor', code: 'cursor', message: error.message }];
  return new Problem({ status: 400, detail: sentence(error), errors });
}

function databaseAway(cause: unknown): Problem {
  return new Problem({
    status: 503,
    detail: 'The database cannot be reached at the moment; try again shortly.',
    headers: { 'retry-after': RETRY_AFTER },
    cause,
  });
}

function outOfTime(cause: unknown): Problem {
  return new Problem({
    status: 503,
    detail: 'The database took too long for this, or others were in the way; try again shortly.',
    headers: { 'retry-after': RETRY_AFTER },
    cause,
  });
}

/** Room is made by people. */
function outOfRoom(cause: unknown): Problem {
  return new Problem({
    status: 503,
    detail: 'There is no room to store this at the moment; try again later.',
    headers: { 'retry-after': '60' },
    cause,
  });
}

function conflict(cause: unknown): Problem {
  return new Problem({
    status: 503,
    detail: 'Changes by others were in the way; try again shortly.',
    headers: { 'retry-after': RETRY_AFTER },
    cause,
  });
}

function importRefused({ faults }: ImportRefusedError): Problem {
  const detail = `Nothing was imported: ${errorDescriptionOf(faults)}`;
  return new Problem({ status: 400, error: 'invalid_client_metadata', detail, errors: faults });
}

/** The rest of the body is not waited for. */
function bodyTooLarge(error: BodyTooLargeError): Problem {
  return new Problem({ status: 413, detail: sentence(error) });
}

function tryLater(error: Error, status: 429 | 503): Problem {
  return new Problem({ status, detail: sentence(error), headers: { 'retry-after': RETRY_AFTER } });
}

function invalidToken(error: Error, isPresented: boolean): Problem {
  const challenge = isPresented ? 'Bearer realm="svc", error="invalid_token"' : 'Bearer realm="svc"';
  return new Problem({ status: 401, detail: sentence(error), headers: { 'www-authenticate': challenge } });
}

/** RFC 7592 section 2.1: no permission to read or change the record. */
function registrationDisabled(error: RegistrationDisabledError): Problem {
  return new Problem({ status: 403, error: 'unauthorized_client', detail: sentence(error) });
}

function issuerAway(cause: IssuerUnavailableError): Problem {
  return new Problem({
    status: 503,
    detail:
      'Access tokens cannot be checked at the moment, since their issuer does not answer; try again shortly.',
    headers: { 'retry-after': RETRY_AFTER },
    cause,
  });
}

function sentence({ message }: Error): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
