import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { SourceUnreachableError } from '@svc/library-sync';

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
}

/** How long a server may be silent, while connecting, thinking or sending. */
const SILENCE_MS = 30_000;

/** A transport, and what went wrong with it. */
export interface GitHttp {
  readonly client: HttpClient;
  /**
   * Throws what cut an answer short. isomorphic-git takes that for the answer's end, and a list of branches that was cut
   * off for a repository without branches: so this has to be asked before anything it says is believed.
   */
  readonly assertWhole: () => void;
}

/**
 * The transport for isomorphic-git: bounded in time and size, sends the credentials in a header and to one origin only, and
 * follows no redirect.
 */
export function createGitHttp(options: GitHttpOptions): GitHttp {
  const budget = { bytes: options.maxBytes };
  const faults: unknown[] = [];
  const request = async (asked: GitHttpRequest): Promise<GitHttpResponse> => {
    const response = await send(asked, options);
    const { statusCode = 0, statusMessage = '', headers } = response;
    if (statusCode >= 300 && statusCode < 400) {
      response.destroy();
      throw new SourceUnreachableError(
        `the git server redirects elsewhere (${statusCode}); configure the final address, with https and .git`,
      );
    }
    return {
      url: asked.url,
      method: asked.method ?? 'GET',
      statusCode,
      statusMessage,
      headers: headers as Record<string, string>,
      body: bounded(response, budget, options, faults),
    };
  };
  const assertWhole = () => {
    if (faults.length > 0) throw faults[0];
  };
  return { client: { request }, assertWhole };
}

async function send(
  { url, method = 'GET', headers = {}, body }: GitHttpRequest,
  { credentials, url: home, ca, signal }: GitHttpOptions,
): Promise<IncomingMessage> {
  const isHome = new URL(url).origin === new URL(home).origin;
  const authorization =
    credentials !== undefined && isHome && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const data = body ? await collect(body) : undefined;
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
  { maxBytes }: GitHttpOptions,
  faults: unknown[],
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      budget.bytes -= chunk.length;
      if (budget.bytes < 0) {
        throw new SourceUnreachableError(
          `the repository is larger than ${Math.round(maxBytes / 1048576)} MiB even without its history`,
        );
      }
      yield chunk;
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
