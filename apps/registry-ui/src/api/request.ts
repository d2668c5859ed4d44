import { text } from '../texts/text.js';
import { ApiError, toApiError } from './api-error.js';
import { withDeadline } from './deadline.js';
import { currentSession, endSession } from './session.js';

/** No response of the registry takes longer, files and streams apart. */
const DEADLINE_MS = 60_000;

/** A request to the registry's HTTP API, which has the same origin as this page. */
export interface ApiRequest {
  readonly method?: string;
  readonly path: string;
  /** Undefined values are omitted. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON; a Blob is sent as is, with the content type in `headers`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Until the end of the body; a minute by default. */
  readonly deadlineMs?: number;
  /** Overrides the session's token, to verify another. */
  readonly token?: string;
}

/** A response with its parsed body, and the ETag for updates. */
export interface ApiResponse<T> {
  readonly body: T;
  readonly etag: string | undefined;
}

/** Syntax of a bearer token (RFC 6750 section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

export function isTokenShaped(token: string): boolean {
  return TOKEN.test(token);
}

/**
 * Calls the registry. A 401 response to the session's own token ends the session.
 *
 * @throws {ApiError} for every error response, and with status 0 if there was no response
 */
export async function callApi<T>(request: ApiRequest): Promise<ApiResponse<T>> {
  const response = await sendRequest(request);
  const etag = response.headers.get('etag') ?? undefined;
  const content = await response.text().catch(unreachable(request.signal));
  return { body: (content === '' ? undefined : JSON.parse(content)) as T, etag };
}

/** Like `callApi`, for the body alone. */
export async function fetchBody<T>(request: ApiRequest): Promise<T> {
  return (await callApi<T>(request)).body;
}

/** Like `callApi`, for bodies that are read as a stream. */
export async function sendRequest(request: ApiRequest): Promise<Response> {
  const { method = 'GET', body, headers, signal, deadlineMs = DEADLINE_MS } = request;
  const session = currentSession();
  // Don't send a token known to be invalid: each attempt counts towards the limit.
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
    signal: withDeadline(deadlineMs, signal),
    cache: 'no-store',
  }).catch(unreachable(signal));
  if (response.ok) return response;
  if (response.status === 401 && request.token === undefined) endSession(token);
  throw await toApiError(response);
}

/** Turns a network failure into an `ApiError`, unless the caller has cancelled the request. */
function unreachable(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    throw signal?.aborted ? error : new ApiError(0, text('error.unreachable'));
  };
}

/** The path of a client, whose id may contain any printable character. */
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
