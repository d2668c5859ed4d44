import { sentence } from '@svc/foundation';
import { JsonBodyError, NoPlaceLeftError, Problem } from '@svc/service-kit';
import {
  isConflictError,
  isConnectionError,
  isDiskFullError,
  isTimeoutError,
} from '../database/database-errors.js';
import { SemaphoreTimeoutError } from '../database/semaphore.js';
import { answerOf, type ErrorCode, RegistryError } from '../errors/registry-error.js';

/** The only place where the registry's own errors become answers. */
export function toProblem(error: unknown): Problem | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const answer = answerOf(code);
  const own = error instanceof RegistryError ? error : undefined;
  const retryAfter = own?.retryAfter ?? answer.retryAfter;
  const headers = {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(answer.challenge !== undefined && { 'www-authenticate': answer.challenge }),
  };
  return new Problem({
    status: answer.status,
    detail: answer.detail ?? own?.detail ?? sentence((error as Error).message),
    ...(answer.error !== undefined && { error: answer.error }),
    ...(own?.violations && { errors: own.violations }),
    headers,
    ...(answer.isLogged && { isLogged: true }),
    cause: error,
  });
}

/** Errors of the database and of the platform have codes here, too. */
function codeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof RegistryError) return error.code;
  if (error instanceof JsonBodyError) return 'invalid_json';
  if (error instanceof NoPlaceLeftError) return error.share ? 'share_used_up' : 'no_place_left';
  if (isConnectionError(error) || error instanceof SemaphoreTimeoutError) return 'database_unavailable';
  if (isTimeoutError(error)) return 'database_timeout';
  if (isDiskFullError(error)) return 'disk_full';
  return isConflictError(error) ? 'conflict' : undefined;
}
