import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import { RegistryError } from './registry-error.js';
import { toConnectionError, toInterruption, toTimeoutError } from './to-connection-error.js';

export interface TransportOptions {
  readonly url: URL;
  readonly token: string;
  /** PEM certificates of CAs to trust in addition to Node's defaults. */
  readonly ca?: string | undefined;
  /** Idle timeout while connecting, waiting for a response and receiving, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Sent with every request: request id and trace context, for finding it in the registry's log. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** `path` is relative to the registry's URL, and percent-encoded. */
export interface RegistryRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly accept?: string;
  /** True if the request changes something, so that its outcome is unknown without a response. */
  readonly changes?: boolean;
  readonly body?: { readonly type: string; readonly content: string };
  /** Replaces `timeoutMs` for slow operations. */
  readonly idleTimeoutMs?: number;
  /** Maximum size of the response, in bytes. */
  readonly maxBytes: number;
}

export interface RegistryResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Total deadline, in milliseconds, for responses that trickle in slowly enough to escape the idle timeout. */
const TOTAL_MS = 1_800_000;

/**
 * Sends authenticated requests to one origin, with limits on time and size, and without following redirects. Not
 * `fetch`: in Node 20 it accepts no custom CA.
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
   * @throws {RegistryError} if there is no response, or one over the size limit
   * @throws the signal's reason if aborted and the request changes nothing
   */
  async send(request: RegistryRequest): Promise<RegistryResponse> {
    const { signal } = this.options;
    const deadline = AbortSignal.timeout(TOTAL_MS);
    const limit = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const state = { sent: false };
    try {
      const response = await this.begin(request, limit, state);
      const text = await read(response, request.maxBytes);
      return { status: response.statusCode ?? 0, headers: response.headers, text };
    } catch (error) {
      const mayHaveTakenEffect = request.changes === true && state.sent;
      if (mayHaveTakenEffect && signal?.aborted === true) throw toInterruption(error);
      signal?.throwIfAborted();
      if (error instanceof RegistryError) throw error;
      // Its use here also keeps the deadline: `AbortSignal.any` does not (nodejs/node#57736).
      const reason: unknown = deadline.aborted ? deadline.reason : error;
      throw toConnectionError(reason, this.options.url, mayHaveTakenEffect);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private begin(
    request: RegistryRequest,
    signal: AbortSignal,
    state: { sent: boolean },
  ): Promise<IncomingMessage> {
    const { url: home, token, timeoutMs, headers: common } = this.options;
    const { method, path, accept = 'application/json', body, idleTimeoutMs = timeoutMs } = request;
    const content = body && Buffer.from(body.content);
    const headers = {
      ...common,
      accept: `${accept}, application/problem+json`,
      authorization: `Bearer ${token}`,
      ...(body && content && { 'content-type': body.type, 'content-length': content.length }),
    };
    const options = { method, headers, signal, agent: this.agent, timeout: idleTimeoutMs };
    const url = new URL(path, home);
    return new Promise((resolve, reject) => {
      const request =
        url.protocol === 'http:' ? http.request(url, options, resolve) : https.request(url, options, resolve);
      request.on('error', reject);
      request.on('finish', () => (state.sent = true));
      request.on('timeout', () => request.destroy(toTimeoutError(idleTimeoutMs)));
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
      throw new RegistryError('failed', `the registry's response is larger than ${limit}; ask for less`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
