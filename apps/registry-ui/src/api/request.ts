import { text } from '../texts/text.js';
import { ApiError, toApiError } from './api-error.js';
import { currentSession, endSession } from './session.js';

/** A request to the registry's HTTP API, which is of the same origin as this page. */
export interface ApiRequest {
  readonly method?: string;
  readonly path: string;
  /** Members without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON; a file as it is, with the content type that `headers` say. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The token to send instead of the session's: for trying one out. */
  readonly token?: string;
}

/** An answer with its parsed body, and the tag that an update is sent with. */
export interface ApiResponse<T> {
  readonly body: T;
  readonly etag: string | undefined;
}

/** What can stand in the Authorization header (RFC 6750 section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** True when `token` can be sent at all. */
export function isTokenShaped(token: string): boolean {
  return TOKEN.test(token);
}

/**
 * Asks the registry. An answer of 401 to the session's own token ends the session.
 *
 * @throws {ApiError} for every answer that is no success, and with status 0 when there was none
 */
export async function callApi<T>(request: ApiRequest): Promise<ApiResponse<T>> {
  const response = await sendRequest(request);
  const etag = response.headers.get('etag') ?? undefined;
  const content = await response.text();
  return { body: (content === '' ? undefined : JSON.parse(content)) as T, etag };
}

/** As `ask`, for callers that need the body alone. */
export async function fetchBody<T>(request: ApiRequest): Promise<T> {
  return (await callApi<T>(request)).body;
}

/** As `ask`, for callers that read the body as it comes. */
export async function sendRequest(request: ApiRequest): Promise<Response> {
  const { method = 'GET', body, headers, signal } = request;
  const session = currentSession();
  // What is known to be refused is not sent: each attempt counts as a wrong token.
  if (request.token === undefined && session?.ended) throw new ApiError(401, text('sessionEnded.title'));
  const token = request.token ?? session?.token ?? '';
  const response = await fetch(urlOf(request), {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    cache: 'no-store',
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, text('error.unreachable'));
  });
  if (response.ok) return response;
  if (response.status === 401 && request.token === undefined) endSession(token);
  throw await toApiError(response);
}

/** The path of one Client, whose id may hold any printable character. */
export function clientPath(clientId: string, ...rest: readonly string[]): string {
  return ['/client', encodeURIComponent(clientId), ...rest].join('/');
}

function urlOf({ path, query = {} }: ApiRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const search = parameters.toString();
  return search === '' ? path : `${path}?${search}`;
}
