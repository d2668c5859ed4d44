import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { TimeSlice } from '@svc/foundation/files';
import { SourceUnreachableError } from '@svc/library-sync';
import { readServerWords } from './server-words.js';

export interface GitHttpOptions {
  /** `user:token`; sent only to the origin of `url`. */
  readonly credentials: string | undefined;
  readonly url: string;
  /** PEM with authorities to trust besides the system's. */
  readonly ca: readonly string[] | undefined;
  /** Most bytes that all answers together may have. */
  readonly maxBytes: number;
  /** Aborts what is under way. */
  readonly signal: AbortSignal;
  /** Removes secrets from the server's messages. */
  readonly scrub: (text: string) => string;
}

/** How long a server may be silent, while connecting, thinking or sending. */
const SILENCE_MS = 30_000;

/** A few bytes may be a line of their own, and lines are read without a pause. */
const PIECE_BYTES = 1 << 13;

/** Waits before a server that is busy or gone for a moment is asked again. */
const RETRY_WAITS_MS = [250, 1_000];
const MAX_RETRY_AFTER_S = 10;
const PASSING_STATUSES: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);
const PASSING_ERRORS: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN']);

/** A transport, and what went wrong with it. */
export interface GitHttp {
  readonly client: HttpClient;
  /**
   * Throws what cut an answer short. isomorphic-git takes that for the answer's end, and a list of branches that was cut
   * off for a repository without branches: so check this before trusting anything else it sends.
   */
  readonly assertWhole: () => void;
}

/**
 * The transport for isomorphic-git: bounded in time and size, sends the credentials in a header and to one origin only,
 * follows no redirect, asks again after a failure that passes, and hands on nothing but what git's protocol is.
 */
export function createGitHttp(options: GitHttpOptions): GitHttp {
  const budget = { bytes: options.maxBytes };
  const faults: unknown[] = [];
  const request = async (asked: GitHttpRequest): Promise<GitHttpResponse> => {
    const response = await sendPatiently(asked, options);
    const { statusCode = 0, statusMessage = '' } = response;
    const type = contentType(response);
    if (statusCode !== 200 || type !== expectedType(asked)) throw await refusalOf(response, options);
    return {
      url: asked.url,
      method: asked.method ?? 'GET',
      statusCode,
      statusMessage,
      headers: { 'content-type': type },
      body: bounded(response, budget, options, faults),
    };
  };
  const assertWhole = () => {
    if (faults.length > 0) throw faults[0];
  };
  return { client: { request }, assertWhole };
}

const contentType = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();

const expectedType = ({ method = 'GET' }: GitHttpRequest): string =>
  `application/x-git-upload-pack-${method === 'GET' ? 'advertisement' : 'result'}`;

async function refusalOf(response: IncomingMessage, { scrub }: GitHttpOptions): Promise<Error> {
  const { statusCode = 0 } = response;
  if (statusCode >= 300 && statusCode < 400) {
    response.destroy();
    return new SourceUnreachableError(
      `the git server redirects elsewhere (${statusCode}); configure the final address, with https and .git`,
    );
  }
  const words = await readServerWords(response, scrub);
  const reason = STATUSES[statusCode] ?? `answered ${statusCode}${statusCode === 200 ? NOT_GIT : ''}`;
  return new Error(words === '' ? reason : `${reason}; the server says: ${words}`);
}

const NOT_GIT = ", but not in git's protocol";

const STATUSES: Readonly<Record<number, string>> = {
  // Azure DevOps shows its sign-in page.
  203: 'the server does not accept the user and token (203)',
  401: 'the server does not accept the user and token (401)',
  403: 'the user and token have no right to read it (403)',
  404: 'repository not found, or the token has no access to it (404)',
};

/** Retries a failure that is likely to pass; returns the last answer, whatever it is. */
async function sendPatiently(asked: GitHttpRequest, options: GitHttpOptions): Promise<IncomingMessage> {
  const data = asked.body ? await collect(asked.body) : undefined;
  for (const waitMs of RETRY_WAITS_MS) {
    try {
      const response = await send(asked, data, options);
      if (!PASSING_STATUSES.has(response.statusCode)) return response;
      response.destroy();
      await sleep(Math.max(waitMs, retryAfterMs(response)), undefined, { signal: options.signal });
    } catch (error) {
      if (!PASSING_ERRORS.has((error as NodeJS.ErrnoException).code)) throw error;
      await sleep(waitMs, undefined, { signal: options.signal });
    }
  }
  return send(asked, data, options);
}

function retryAfterMs({ headers }: IncomingMessage): number {
  const seconds = /^\d{1,9}$/.exec(headers['retry-after'] ?? '')?.[0] ?? 0;
  return Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1_000;
}

async function send(
  { url, method = 'GET', headers = {} }: GitHttpRequest,
  data: Buffer | undefined,
  { credentials, url: home, ca, signal }: GitHttpOptions,
): Promise<IncomingMessage> {
  const isHome = new URL(url).origin === new URL(home).origin;
  const authorization =
    credentials !== undefined && isHome && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const options: https.RequestOptions = {
    method,
    headers: {
      ...headers,
      ...(authorization && { authorization }),
      ...(data && { 'content-length': data.length }),
    },
    signal,
    timeout: SILENCE_MS,
    agent: false,
    ...(ca && { ca: [...ca] }),
  };
  const secure = url.startsWith('https:');
  return new Promise((resolve, reject) => {
    const request = secure ? https.request(url, options, resolve) : http.request(url, options, resolve);
    request.on('error', reject);
    request.on('timeout', () =>
      request.destroy(new Error(`the server was silent for ${SILENCE_MS / 1000} s`)),
    );
    request.end(data);
  });
}

async function* bounded(
  response: IncomingMessage,
  budget: { bytes: number },
  { maxBytes, signal }: GitHttpOptions,
  faults: unknown[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const turns = new TimeSlice(signal);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) {
        throw new SourceUnreachableError(
          `the repository is larger than ${Math.round(maxBytes / 1048576)} MiB even without its history`,
        );
      }
      for (let pos = 0; pos < chunk.length; pos += PIECE_BYTES) {
        yield chunk.subarray(pos, pos + PIECE_BYTES);
        if (turns.isUsedUp) await turns.next();
      }
    }
  } catch (error) {
    faults.push(error);
    throw error;
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
