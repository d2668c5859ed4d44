import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import type { ValidatedOptions } from './registry-options.js';
import { RegistryUnavailableError } from './registry-unavailable.error.js';

/** `path` is relative to the registry's URL, and percent-encoded. All requests are idempotent. */
export interface RegistryRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

export interface RegistryResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A registry process serves 100 concurrent requests, shared by all its callers. */
const MAX_CONNECTIONS = 32;

/** Including queued requests; beyond this, requests fail immediately. */
const MAX_IN_FLIGHT = 1_000;

/** Well above a Client of maximum size. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

/** `b64token` (RFC 6750 section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Sends authenticated requests to one origin, with limits on time, concurrency and size, and without following redirects.
 * Not `fetch`: in Node 20 it accepts no custom CA and does not limit connections.
 */
export class RegistryHttp {
  private readonly agent: http.Agent;
  private readonly inFlight = new Set<http.ClientRequest>();
  private isClosed = false;

  constructor(private readonly options: Pick<ValidatedOptions, 'url' | 'token' | 'ca' | 'timeoutMs'>) {
    const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.agent = this.isPlain
      ? new http.Agent(settings)
      : new https.Agent({ ...settings, ...this.authorities });
  }

  /**
   * @returns the complete response, whatever its status
   * @throws {RegistryUnavailableError} if it times out or exceeds the size limit
   */
  async request(request: RegistryRequest): Promise<RegistryResponse> {
    if (this.inFlight.size >= MAX_IN_FLIGHT) {
      throw new RegistryUnavailableError(`${MAX_IN_FLIGHT} requests to the registry are already in flight`);
    }
    try {
      return await this.sendOnce(request);
    } catch (error) {
      if (!isStaleConnection(error)) throw this.toUnavailable(error);
    }
    return this.sendOnce(request).catch((error: unknown) => {
      throw this.toUnavailable(error);
    });
  }

  /**
   * Opens an endless response on a connection of its own.
   *
   * @throws {RegistryUnavailableError} if the response does not start in time
   */
  async open(request: RegistryRequest): Promise<IncomingMessage> {
    try {
      return await this.send(request, { agent: false, ...(!this.isPlain && this.authorities) }, responseTo);
    } catch (error) {
      throw this.toUnavailable(error);
    }
  }

  /** Aborts requests in flight; later ones fail. */
  close(): void {
    this.isClosed = true;
    for (const request of this.inFlight) request.destroy(new Error('closed'));
    this.agent.destroy();
  }

  private async sendOnce(request: RegistryRequest): Promise<RegistryResponse> {
    return this.send(request, { agent: this.agent }, async (sent) => {
      const response = await responseTo(sent);
      return { status: response.statusCode ?? 0, headers: response.headers, text: await read(response) };
    });
  }

  /** @param take consumes the response, within the deadline */
  private async send<T>(
    request: RegistryRequest,
    transport: RequestOptions,
    take: (request: http.ClientRequest) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs } = this.options;
    const sent = this.begin(request, transport);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      sent.destroy();
    }, timeoutMs);
    try {
      return await take(sent);
    } catch (error) {
      throw isLate ? new Error(`no complete response within ${timeoutMs / 1000} s`) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  private begin(
    { method, path, headers, body }: RegistryRequest,
    transport: RequestOptions,
  ): http.ClientRequest {
    if (this.isClosed) throw new Error('closed');
    const content = body === undefined ? undefined : Buffer.from(body);
    const all = {
      accept: 'application/json, application/problem+json',
      ...headers,
      authorization: `Bearer ${this.readToken()}`,
      ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
    };
    const url = new URL(path, this.options.url);
    const request = (this.isPlain ? http : https).request(url, { ...transport, method, headers: all });
    this.inFlight.add(request);
    request.once('close', () => this.inFlight.delete(request));
    request.end(content);
    return request;
  }

  private readToken(): string {
    const token = this.options.token();
    if (TOKEN.test(token)) return token;
    throw new Error(
      'the token is not a valid bearer token: only letters, digits and - . _ ~ + / are allowed (RFC 6750)',
    );
  }

  private toUnavailable(error: unknown): RegistryUnavailableError {
    const { message, code } = error as { readonly message: string; readonly code?: string };
    const reason = `${this.options.url.origin}: ${message || code}`;
    return new RegistryUnavailableError(reason, { cause: error });
  }

  private get isPlain(): boolean {
    return this.options.url.protocol === 'http:';
  }

  private get authorities(): { readonly ca?: string[] } {
    const { ca } = this.options;
    return ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  }
}

function responseTo(request: http.ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays attached after the response has started: an unhandled 'error' event would end the process.
    request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error(`the response is larger than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The registry closed an idle keep-alive connection just as it was reused: safe to retry. */
function isStaleConnection(error: unknown): boolean {
  const { reused, code } = error as { readonly reused?: boolean; readonly code?: string };
  return reused === true && (code === 'ECONNRESET' || code === 'EPIPE');
}
