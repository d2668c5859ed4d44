import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { TimeSlice } from '@svc/foundation/files';
import { SourceUnreachableError } from '@svc/library-sync';
import type { HttpProxy } from '../proxy/choose-proxy.js';
import { openTunnel, proxyDenial, proxyHeaders, ProxyRefusalError } from '../proxy/proxy-connection.js';
import { GitAnswerError } from './pkt-lines.js';
import { readServerMessage } from './server-message.js';

export interface GitHttpOptions {
  /** `user:token`; sent only to the origin of `url`. */
  readonly credentials: string | undefined;
  readonly url: string;
  /** PEM certificates of CAs to trust in addition to the system's. */
  readonly ca: readonly string[] | undefined;
  readonly proxy: HttpProxy | undefined;
  /** Maximum total size of all responses. */
  readonly maxBytes: number;
  /** Aborts requests in flight. */
  readonly signal: AbortSignal;
  /** Removes secrets from the server's messages. */
  readonly scrub: (text: string) => string;
}

/** Idle timeout while connecting, waiting for a response and receiving. */
const IDLE_TIMEOUT_MS = 30_000;

/** Chunks are split to this size, since lines can be a few bytes each and are parsed without yielding. */
const PIECE_BYTES = 1 << 13;

/** Delays before retrying a server that is busy or briefly unreachable. */
const RETRY_DELAYS_MS = [250, 1_000];
const MAX_RETRY_AFTER_S = 10;
const TRANSIENT_STATUSES: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const TRANSIENT_ERRORS: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN']);

/** A transport that remembers its errors. */
export interface GitHttp {
  readonly client: HttpClient;
  /**
   * Throws the error that truncated a response. isomorphic-git mistakes truncation for the end, and a truncated list of
   * branches for an empty repository, so call this before trusting any response.
   */
  readonly assertWhole: () => void;
}

/**
 * The HTTP transport for isomorphic-git: limits time and size, sends the credentials in a header and to one origin only,
 * does not follow redirects, retries transient failures, and passes on only responses in git's protocol.
 */
export function createGitHttp(options: GitHttpOptions): GitHttp {
  const budget = { bytes: options.maxBytes };
  const transportErrors: unknown[] = [];
  const request = async (gitRequest: GitHttpRequest): Promise<GitHttpResponse> => {
    const response = await sendWithRetries(gitRequest, options);
    const { statusCode = 0, statusMessage = '' } = response;
    const type = contentType(response);
    if (statusCode !== 200 || type !== expectedType(gitRequest))
      throw await refusalOf(response, gitRequest, options);
    if (Number(response.headers['content-length'] ?? 0) > budget.bytes) {
      response.destroy();
      throw new ResponseTooLargeError(options.maxBytes);
    }
    return {
      url: gitRequest.url,
      method: gitRequest.method ?? 'GET',
      statusCode,
      statusMessage,
      headers: { 'content-type': type },
      body: bounded(response, budget, options, (error, received) => {
        // What was received is discarded, and the caller may do without it; isomorphic-git, which discovers, hides the error.
        if (error instanceof ResponseTooLargeError && gitRequest.method === 'POST') budget.bytes += received;
        else transportErrors.push(error);
      }),
    };
  };
  const assertWhole = () => {
    if (transportErrors.length > 0) throw transportErrors[0];
  };
  return { client: { request }, assertWhole };
}

const contentType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();

const expectedType = ({ method = 'GET' }: GitHttpRequest): string =>
  `application/x-git-upload-pack-${method === 'GET' ? 'advertisement' : 'result'}`;

async function refusalOf(
  response: IncomingMessage,
  { url }: GitHttpRequest,
  { scrub, proxy, credentials }: GitHttpOptions,
): Promise<Error> {
  const { statusCode = 0 } = response;
  if (statusCode >= 300 && statusCode < 400) {
    response.destroy();
    return new SourceUnreachableError(
      `the git server redirects elsewhere (${statusCode}); configure the final address, with https and .git`,
    );
  }
  const words = await readServerMessage(response, scrub);
  const known = denialOf(statusCode, { credentials, proxy });
  const reason = known ?? `returned ${statusCode}${statusCode === 200 ? NOT_GIT : ''}`;
  // The responses of the two look alike.
  const speaker = proxy && !url.startsWith('https:') ? 'the server or the proxy' : 'the server';
  const text = words === '' ? reason : `${reason}; ${speaker} says: ${words}`;
  // Asking differently cannot help where access is denied, or the server is busy.
  const isFinal = known !== undefined || TRANSIENT_STATUSES.has(statusCode);
  return isFinal ? new Error(text) : new GitAnswerError(text);
}

const NOT_GIT = ", but not in git's protocol";

/** Why the server or the proxy denies access; undefined for other statuses. */
function denialOf(
  status: number,
  { credentials, proxy }: Pick<GitHttpOptions, 'credentials' | 'proxy'>,
): string | undefined {
  const isGiven = credentials !== undefined;
  switch (status) {
    // Azure DevOps sends its sign-in page with 203.
    case 203:
    case 401:
      return isGiven
        ? `the server does not accept the user and token (${status})`
        : `the server asks for a user and token (${status}): put them into the address, as git://<user>:<token>@<host>/<path>.git`;
    case 403:
      return isGiven
        ? 'the user and token do not have permission to read it (403)'
        : 'the server denies access without a user and token (403)';
    case 404:
      return isGiven
        ? 'repository not found, or the token has no access to it (404)'
        : 'repository not found (404); a private one needs a user and token in the address';
    case 407:
      return proxyDenial(proxy);
    default:
      return undefined;
  }
}

/** Retries transient failures; returns the last response, whatever its status. */
async function sendWithRetries(
  gitRequest: GitHttpRequest,
  options: GitHttpOptions,
): Promise<IncomingMessage> {
  const data = gitRequest.body ? await collect(gitRequest.body) : undefined;
  for (const waitMs of RETRY_DELAYS_MS) {
    try {
      const response = await send(gitRequest, data, options);
      if (!TRANSIENT_STATUSES.has(response.statusCode)) return response;
      response.destroy();
      await sleep(Math.max(waitMs, retryAfterMs(response)), undefined, { signal: options.signal });
    } catch (error) {
      if (!isTransient(error)) throw error;
      await sleep(waitMs, undefined, { signal: options.signal });
    }
  }
  return send(gitRequest, data, options);
}

function isTransient(error: unknown): boolean {
  if (error instanceof ProxyRefusalError) return TRANSIENT_STATUSES.has(error.statusCode);
  return TRANSIENT_ERRORS.has((error as NodeJS.ErrnoException).code);
}

function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = /^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0] ?? 0;
  return Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1_000;
}

async function send(
  { url, method = 'GET', headers = {} }: GitHttpRequest,
  data: Buffer | undefined,
  { credentials, url: home, ca, signal, proxy }: GitHttpOptions,
): Promise<IncomingMessage> {
  const target = new URL(url);
  const authorization =
    credentials !== undefined &&
    target.origin === new URL(home).origin &&
    `Basic ${Buffer.from(credentials).toString('base64')}`;
  const options: https.RequestOptions = {
    method,
    headers: {
      ...headers,
      ...(authorization && { authorization }),
      ...(data && { 'content-length': data.length }),
    },
    signal,
    timeout: IDLE_TIMEOUT_MS,
    agent: false,
    ...(ca && { ca: [...ca] }),
  };
  const request = proxy ? await requestThrough(proxy, target, options, ca, signal) : open(target, options);
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.on('timeout', () =>
      request.destroy(new Error(`the server was silent for ${IDLE_TIMEOUT_MS / 1000} s`)),
    );
    request.end(data);
  });
}

const open = (url: URL, options: https.RequestOptions): ClientRequest =>
  url.protocol === 'https:' ? https.request(url, options) : http.request(url, options);

async function requestThrough(
  proxy: HttpProxy,
  target: URL,
  { agent: _agent, ...options }: https.RequestOptions,
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ClientRequest> {
  if (target.protocol === 'https:') {
    const socket = await openTunnel(proxy, target, { ca, signal, timeoutMs: IDLE_TIMEOUT_MS });
    return https.request(target, { ...options, createConnection: () => socket });
  }
  const headers = { ...options.headers, host: target.host, ...proxyHeaders(proxy) };
  return open(proxy.url, { ...options, agent: false, path: target.href, headers });
}

async function* bounded(
  response: IncomingMessage,
  budget: { bytes: number },
  options: GitHttpOptions,
  onError: (error: unknown, received: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const timeSlice = new TimeSlice(options.signal);
  let received = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length;
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) throw new ResponseTooLargeError(options.maxBytes);
      for (let pos = 0; pos < chunk.length; pos += PIECE_BYTES) {
        yield chunk.subarray(pos, pos + PIECE_BYTES);
        if (timeSlice.isUsedUp) await timeSlice.next();
      }
    }
  } catch (error) {
    onError(error, received);
    throw error;
  }
}

/** The responses exceed the limit of their total size. */
export class ResponseTooLargeError extends SourceUnreachableError {
  /** The limit: `256 MiB of source.max_pack`. */
  readonly limit: string;

  constructor(maxBytes: number) {
    const limit = `${Math.round(maxBytes / 1048576)} MiB of source.max_pack`;
    super(`the repository is larger than the ${limit} even without its history`);
    this.limit = limit;
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
