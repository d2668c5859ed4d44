import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { rootCertificates } from 'node:tls';
import type { ReadOptions } from './registry-options.js';
import { RegistryUnavailableError } from './registry-unavailable.error.js';

/** A request; `path` is relative to the registry's address, and encoded. All of them can be repeated without harm. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The registry takes 100 requests at once on a process, of all its callers. */
const MAX_CONNECTIONS = 32;

/** So many more wait for their turn; whoever comes then is told at once. */
const MAX_UNDER_WAY = 1_000;

/** A Client with all that it can hold stays far below. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** `b64token` of RFC 6750 section 2.1: what can stand in a header. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Sends requests with the token: bounded in time, number and size, to one origin only, following no redirect. Not `fetch`,
 * which in Node 20 takes no authorities of one's own and opens as many connections as there are requests.
 */
export class RegistryHttp {
  private readonly agent: http.Agent;
  private readonly underWay = new Set<http.ClientRequest>();
  private isClosed = false;

  constructor(private readonly options: Pick<ReadOptions, 'url' | 'token' | 'ca' | 'timeoutMs'>) {
    const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.agent = this.isPlain
      ? new http.Agent(settings)
      : new https.Agent({ ...settings, ...this.authorities });
  }

  /**
   * @returns the whole answer, whatever its status
   * @throws {RegistryUnavailableError} when there is none in time, or a larger one than is taken
   */
  async ask(asked: Asked): Promise<Answered> {
    if (this.underWay.size >= MAX_UNDER_WAY) {
      throw new RegistryUnavailableError(`${MAX_UNDER_WAY} requests to the registry are under way already`);
    }
    try {
      return await this.askOnce(asked);
    } catch (error) {
      if (!isStaleConnection(error)) throw this.toUnavailable(error);
    }
    return this.askOnce(asked).catch((error: unknown) => {
      throw this.toUnavailable(error);
    });
  }

  /**
   * An answer without an end, on a connection of its own.
   *
   * @throws {RegistryUnavailableError} when it does not begin in time
   */
  async open(asked: Asked): Promise<IncomingMessage> {
    try {
      return await this.send(asked, { agent: false, ...(!this.isPlain && this.authorities) }, responseTo);
    } catch (error) {
      throw this.toUnavailable(error);
    }
  }

  /** Ends what is under way; later requests are refused. */
  close(): void {
    this.isClosed = true;
    for (const request of this.underWay) request.destroy(new Error('closed'));
    this.agent.destroy();
  }

  private async askOnce(asked: Asked): Promise<Answered> {
    return this.send(asked, { agent: this.agent }, async (request) => {
      const response = await responseTo(request);
      return { status: response.statusCode ?? 0, headers: response.headers, text: await read(response) };
    });
  }

  /** @param take what must be done before the deadline */
  private async send<T>(
    asked: Asked,
    transport: RequestOptions,
    take: (request: http.ClientRequest) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs } = this.options;
    const request = this.begin(asked, transport);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      request.destroy();
    }, timeoutMs);
    try {
      return await take(request);
    } catch (error) {
      throw isLate ? new Error(`no whole answer within ${timeoutMs / 1000} s`) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  private begin({ method, path, headers, body }: Asked, transport: RequestOptions): http.ClientRequest {
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
    this.underWay.add(request);
    request.once('close', () => this.underWay.delete(request));
    request.end(content);
    return request;
  }

  private readToken(): string {
    const token = this.options.token();
    if (TOKEN.test(token)) return token;
    throw new Error('the token is no bearer token: letters, digits and - . _ ~ + / (RFC 6750), nothing else');
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
    // Also after the response has begun: its reader is told, and nobody else would listen.
    request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The registry had closed a connection that was kept for later: that says nothing about the registry. */
function isStaleConnection(error: unknown): boolean {
  const { reused, code } = error as { readonly reused?: boolean; readonly code?: string };
  return reused === true && (code === 'ECONNRESET' || code === 'EPIPE');
}
