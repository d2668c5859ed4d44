import { isJsonObject, type Violation } from '@svc/foundation';
import { RegistryError, type RegistryFailure } from './registry-error.js';
import { UNKNOWN_OUTCOME } from './to-connection-error.js';
import type { RegistryResponse, RegistryRequest } from './transport.js';

/** Truncates overlong server messages. */
const MAX_DETAIL = 1_000;

/**
 * Turns an error response into an error with a remedy.
 *
 * @param missing the message for a 404, such as `there is no Client 'x'`; if absent, a 404 means this is not a registry
 */
export function toResponseError(
  request: RegistryRequest,
  response: RegistryResponse,
  url: URL,
  missing?: string,
): RegistryError {
  const { status, headers } = response;
  const problem = problemOf(response);
  if (status >= 300 && status < 400) {
    return new RegistryError(
      'not_a_registry',
      `${url.origin} redirects elsewhere (${status}); set registry.url to the final address`,
    );
  }
  if (status === 401) {
    return new RegistryError(
      'token_rejected',
      'the registry rejected the token (401): it is unknown, expired or revoked; set registry.token to a valid one',
    );
  }
  if (status === 403) return new RegistryError('token_rejected', forbidden(headers, problem?.detail));
  if (status === 503 || status === 429) return busy(status, problem?.detail, headers['retry-after']);
  const ofProxy = problem ? undefined : proxyError(status, request.changes === true);
  if (ofProxy) return ofProxy;
  if (!problem || (status === 404 && missing === undefined)) return notARegistry(request, response, url);
  if (status === 404) return new RegistryError('not_found', missing ?? problem.detail, problem.violations);
  if (status === 412) {
    return new RegistryError(
      'changed',
      'the client has changed in the meantime (412), so nothing was changed; review it and run the command again',
      problem.violations,
    );
  }
  const id = status >= 500 ? `; see its log for request ${String(headers['x-request-id'])}` : '';
  return new RegistryError(
    failureOf(status),
    `the registry returned ${status}: ${problem.detail}${id}`,
    problem.violations,
  );
}

/** Another service is listening, or an incompatible version of the registry. */
export function notARegistry(
  { method, path }: RegistryRequest,
  { status, headers }: RegistryResponse,
  url: URL,
): RegistryError {
  const type = (headers['content-type'] ?? 'no type').split(';')[0];
  const [route] = path.split('?');
  return new RegistryError(
    'not_a_registry',
    `${url.href} is not the address of a registry: ${method} /${route} returned ${status} with ${type}; set registry.url`,
  );
}

/** A response that only something in front of the registry sends. */
function proxyError(status: number, changes: boolean): RegistryError | undefined {
  const proxy = 'a proxy in front of the registry';
  if (status === 413) {
    const remedy = 'raise its limit, which nginx calls client_max_body_size';
    return new RegistryError('invalid', `${proxy} rejects a request of this size (413); ${remedy}`);
  }
  if (status !== 502 && status !== 504) return undefined;
  const reason = status === 502 ? 'cannot reach it' : 'did not wait for its response';
  const next = changes ? UNKNOWN_OUTCOME : 'try again later';
  return new RegistryError('unreachable', `${proxy} ${reason} (${status}); ${next}`);
}

function forbidden(headers: RegistryResponse['headers'], detail: string | undefined): string {
  const scope = /scope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
  if (scope !== undefined) {
    return `the token lacks the scope ${scope} (403); set registry.token to one that has it`;
  }
  return detail === undefined
    ? 'the registry, or a proxy in front of it, does not allow this (403)'
    : `the registry does not allow this (403): ${detail}`;
}

function busy(status: number, detail: string | undefined, retryAfter: string | undefined): RegistryError {
  const reason = status === 429 ? 'is rate-limiting requests (429)' : 'is temporarily unavailable (503)';
  const when = /^\d{1,6}$/.test(retryAfter ?? '') ? `in ${retryAfter} s` : 'later';
  const words = detail === undefined ? '' : `: ${detail.replace(/\.$/, '')}`;
  return new RegistryError('unreachable', `the registry ${reason}${words}; try again ${when}`);
}

function failureOf(status: number): RegistryFailure {
  if (status === 409) return 'conflict';
  return status < 500 ? 'invalid' : 'failed';
}

/** The response's problem document (RFC 9457), if it is one. */
function problemOf({
  headers,
  text,
}: RegistryResponse): { detail: string; violations: Violation[] } | undefined {
  if (!/^application\/problem\+json\b/.test(headers['content-type'] ?? '')) return undefined;
  const document = parse(text);
  if (!isJsonObject(document)) return undefined;
  const { detail, title, errors } = document;
  const words = [detail, title].find((text) => typeof text === 'string');
  if (words === undefined) return undefined;
  return {
    detail: words.slice(0, MAX_DETAIL),
    violations: Array.isArray(errors) ? errors.filter(isViolation) : [],
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isViolation(value: unknown): value is Violation {
  return isJsonObject(value) && ['field', 'code', 'message'].every((name) => typeof value[name] === 'string');
}
