import { sentence } from '@svc/foundation';
import { NoPlaceLeftError, Problem } from '@svc/service-kit';
import { CommanderError } from '../errors/commander-error.js';

/** The only place that converts the commander's own errors to responses; undefined for any other error. */
export function toProblem(error: unknown): Problem | undefined {
  if (error instanceof NoPlaceLeftError) return noPlaceLeft(error);
  if (!(error instanceof CommanderError)) return undefined;
  const { answer, detail, violations } = error;
  return new Problem({
    status: answer.status,
    detail,
    cause: error,
    isStop: answer.isStop ?? false,
    ...(answer.title !== undefined && { title: answer.title }),
    ...(violations && { errors: violations }),
    ...(answer.retryAfter !== undefined && { headers: { 'retry-after': String(answer.retryAfter) } }),
  });
}

function noPlaceLeft({ share, message }: NoPlaceLeftError): Problem {
  const headers = { 'retry-after': '10' };
  return new Problem({ status: share ? 429 : 503, detail: sentence(message), headers });
}
