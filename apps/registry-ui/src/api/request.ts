import type { Answer, Body, MethodOf, Path, PathParameters, Query } from '@svc/registry-contract';
import { text } from '../texts/text.js';
import { ApiError, toApiError } from './api-error.js';
import { withDeadline } from './deadline.js';
import { currentSession, endSession, isRenewed } from './session.js';

/** No response of the registry takes longer, files and streams apart. */
const DEADLINE_MS = 60_000;

interface Transfer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Until the end of the body; a minute by default. */
  readonly deadlineMs?: number;
  /** Overrides the session's token, to verify another. */
  readonly token?: string;
}

/** A request to the registry's HTTP API, which has the same origin as this page; its types are the API document's. */
export type ApiRequest<P extends Path, M extends MethodOf<P>> = Transfer & {
  readonly path: P;
  /** GET by default. */
  readonly method?: M;
  /** A query string is sent as is; undefined values are omitted. */
  readonly query?: Query<P, M> | string;
} & (PathParameters<P, M> extends undefined ? unknown : { readonly params: PathParameters<P, M> }) &
  (Body<P, M> extends undefined ? unknown : { readonly body: Sent<Body<P, M>> });

/** Sent as JSON; a Blob is sent as is, with the content type in `headers`. */
type Sent<B> = B extends string ? Blob : B;

/** Any of them. */
interface AnyRequest extends Transfer {
  readonly path: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object | string | undefined;
  readonly body?: unknown;
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
 * Calls the registry. A 401 response to the session's own token ends the session, unless it can be renewed.
 *
 * @throws {ApiError} for every error response, and with status 0 if there was no response
 */
export async function callApi<P extends Path, M extends MethodOf<P> = 'GET' & MethodOf<P>>(
  request: ApiRequest<P, M>,
): Promise<ApiResponse<Answer<P, M>>> {
  const response = await sendRequest(request);
  const etag = response.headers.get('etag') ?? undefined;
  const content = await response.text().catch(unreachable(request.signal));
  return { body: (content === '' ? undefined : JSON.parse(content)) as Answer<P, M>, etag };
}

/** Like `callApi`, for the body alone. */
export async function fetchBody<P extends Path, M extends MethodOf<P> = 'GET' & MethodOf<P>>(
  request: ApiRequest<P, M>,
): Promise<Answer<P, M>> {
  return (await callApi(request)).body;
}

/** Like `callApi`, for bodies that are read as a stream. */
export async function sendRequest<P extends Path, M extends MethodOf<P> = 'GET' & MethodOf<P>>(
  request: ApiRequest<P, M>,
): Promise<Response> {
  const { method = 'GET', body, headers, signal, deadlineMs = DEADLINE_MS }: AnyRequest = request;
  const session = currentSession();
  // Don't send a token known to be invalid: each attempt counts towards the limit.
  if (request.token === undefined && session?.ended) throw new ApiError(401, text('sessionEnded.title'));
  const send = async (token: string) =>
    fetch(urlOf(request), {
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
  let token = request.token ?? session?.token ?? '';
  let response = await send(token);
  // A request that was answered with 401 has done nothing, so it can be repeated.
  if (response.status === 401 && request.token === undefined && (await isRenewed(token))) {
    token = currentSession()?.token ?? '';
    response = await send(token);
  }
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

/** The address of a request. Parameters of a path may contain any printable character. */
function urlOf({ path, params = {}, query = {} }: AnyRequest): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  if (typeof query === 'string') return filled + query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) parameters.append(name, String(one));
  }
  const search = parameters.toString();
  return search === '' ? filled : `${filled}?${search}`;
}
