import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import { RegistryError } from './registry-error.js';
import { toConnectionError, toInterruption, toSilenceError } from './to-connection-error.js';

export interface TransportOptions {
  readonly url: URL;
  readonly token: string;
  /** PEM with authorities to trust besides the usual ones. */
  readonly ca?: string | undefined;
  /** How long the registry may be silent, while connecting, thinking or sending, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Sent with every request: its id and trace, by which the registry's log can be searched. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request; its path is relative to the registry's address, and encoded. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly accept?: string;
  /** True when it may take effect: without an answer nobody knows whether it did. */
  readonly changes?: boolean;
  readonly body?: { readonly type: string; readonly content: string };
  /** In place of `timeoutMs`, for what takes its time. */
  readonly silenceMs?: number;
  /** Largest answer that is taken, in bytes. */
  readonly maxBytes: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** However slowly an answer drips, after this time it is given up. In milliseconds. */
const TOTAL_MS = 1_800_000;

/**
 * Sends requests with the token: bounded in time and size, to one origin only, following no redirect. Not `fetch`, which
 * in Node 20 takes no authorities of one's own.
 */
export class Transport {
  private readonly agent: http.Agent;

  constructor(private readonly options: TransportOptions) {
    const { url, ca } = options;
    const settings = { keepAlive: true };
    this.agent =
      url.protocol === 'http:'
        ? new http.Agent(settings)
        : new https.Agent({ ...settings, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) });
  }

  /**
   * @throws {RegistryError} when there is no answer, or a larger one than is taken
   * @throws the signal's reason when it aborted what changes nothing
   */
  async send(asked: Asked): Promise<Answered> {
    const { signal } = this.options;
    const deadline = AbortSignal.timeout(TOTAL_MS);
    const limit = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const state = { sent: false };
    try {
      const response = await this.begin(asked, limit, state);
      const text = await read(response, asked.maxBytes);
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    } catch (error) {
      const mayBeDone = asked.changes === true && state.sent;
      if (mayBeDone && signal?.aborted === true) throw toInterruption(error);
      signal?.throwIfAborted();
      if (error instanceof RegistryError) throw error;
      throw toConnectionError(error, this.options.url, mayBeDone);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private begin(asked: Asked, signal: AbortSignal, state: { sent: boolean }): Promise<IncomingMessage> {
    const { url: home, token, timeoutMs, headers: common } = this.options;
    const { method, path, accept = 'application/json', body, silenceMs = timeoutMs } = asked;
    const content = body && Buffer.from(body.content);
    const headers = {
      ...common,
      accept: `${accept}, application/problem+json`,
      authorization: `Bearer ${token}`,
      ...(body && content && { 'content-type': body.type, 'content-length': content.length }),
    };
    const options = { method, headers, signal, agent: this.agent, timeout: silenceMs };
    const url = new URL(path, home);
    return new Promise((resolve, reject) => {
      const request =
        url.protocol === 'http:' ? http.request(url, options, resolve) : https.request(url, options, resolve);
      request.on('error', reject);
      request.on('finish', () => (state.sent = true));
      request.on('timeout', () => request.destroy(toSilenceError(silenceMs)));
      request.end(content);
    });
  }
}

async function read(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      const limit = `${Math.round(maxBytes / 1_048_576)} MiB`;
      throw new RegistryError('failed', `the answer of the registry is larger than ${limit}; ask for less`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
