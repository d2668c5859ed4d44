import { pointerTo } from '@svc/client-metadata';
import { type Violation, Problem } from '@svc/service-kit';
import type { RequestParameters } from '@svc/client-metadata';

/** More than any authorization request has. */
const MAX_PARAMETERS = 100;

/**
 * A body as the parameters of an authorization request: each a string, or a list of strings if it was sent more than once. A list
 * of one counts as a string, so that the output of query parsers can be sent unchanged.
 *
 * @throws {Problem} 400 naming each member that is neither
 */
export function toRequestParameters(body: unknown): RequestParameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem({
      status: 400,
      detail: 'Send the parameters of the authorization request as a JSON object.',
    });
  }
  const entries = Object.entries(body);
  if (entries.length > MAX_PARAMETERS) {
    throw new Problem({ status: 400, detail: `There are more than ${MAX_PARAMETERS} parameters.` });
  }
  const errors = entries.flatMap(([name, value]) => (isParameter(value) ? [] : [noParameter(name)]));
  if (errors.length > 0) {
    throw new Problem({
      status: 400,
      detail: errors.map(({ field, message }) => `${field}: ${message}`).join('; '),
      errors,
    });
  }
  return Object.fromEntries(
    (entries as [string, string | string[]][]).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 1 ? (value[0] ?? '') : value,
    ]),
  );
}

function isParameter(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function noParameter(name: string): Violation {
  return { field: pointerTo(name), code: 'type', message: 'is neither a string nor a list of strings' };
}
