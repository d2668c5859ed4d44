import { errorCodeOf, errorDescriptionOf } from '@svc/client-metadata';
import { Problem } from '@svc/service-kit';
import {
  ClientChangedError,
  ClientExistsError,
  ClientNotFoundError,
  InvalidClientError,
  InvalidCursorError,
} from '../clients/client.errors.js';
import { isDatabaseAway } from '../database/is-database-away.js';
import { IssuerUnavailableError } from '../oidc/issuer-keys.js';
import { RegistrationTokenError } from '../registration/registration.errors.js';
import { ScopeNotHeldError, TokenNotFoundError, TooManyTokensError } from '../tokens/token.errors.js';
import { JsonBodyError } from './parse-json.js';

/** Seconds after which a caller may try again when the database was away. */
const RETRY_AFTER = '2';

/** The only place where the registry's own errors become answers. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof InvalidClientError) return invalidClient(error);
  if (error instanceof JsonBodyError) return invalidBody(error);
  if (error instanceof ClientNotFoundError) return new Problem({ status: 404, detail: sentence(error) });
  if (error instanceof ClientExistsError) return clientExists(error);
  if (error instanceof ClientChangedError) return new Problem({ status: 412, detail: sentence(error) });
  if (error instanceof InvalidCursorError) return invalidCursor(error);
  if (error instanceof RegistrationTokenError) return registrationToken(error);
  if (error instanceof ScopeNotHeldError) return new Problem({ status: 403, detail: sentence(error) });
  if (error instanceof TokenNotFoundError) return new Problem({ status: 404, detail: sentence(error) });
  if (error instanceof TooManyTokensError) return new Problem({ status: 409, detail: sentence(error) });
  if (error instanceof IssuerUnavailableError) return issuerAway(error);
  if (isDatabaseAway(error)) return databaseAway(error);
  return undefined;
}

function invalidClient({ problems }: InvalidClientError): Problem {
  const detail = errorDescriptionOf(problems);
  return new Problem({ status: 400, error: errorCodeOf(problems), detail, errors: problems });
}

function invalidBody(error: JsonBodyError): Problem {
  return new Problem({ status: 400, error: 'invalid_client_metadata', detail: sentence(error) });
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

function registrationToken(error: RegistrationTokenError): Problem {
  const challenge = error.presented ? 'Bearer realm="svc", error="invalid_token"' : 'Bearer realm="svc"';
  return new Problem({ status: 401, detail: sentence(error), headers: { 'www-authenticate': challenge } });
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
