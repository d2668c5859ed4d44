import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import type { HttpProxy } from './choose-proxy.js';
import { hostOf, portOf } from './host-and-port.js';

export interface TunnelOptions {
  readonly ca: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** The proxy refused the connection. */
export class ProxyRefusalError extends Error {
  override readonly name = 'ProxyRefusalError';

  constructor(
    message: string,
    readonly statusCode: number,
  ) {
    super(message);
  }
}

/** Why a proxy answers 407. */
export function proxyDenial(proxy: HttpProxy | undefined): string {
  return proxy?.user === undefined
    ? 'the proxy asks for a user and password (407): put them into its address, as http://<user>:<password>@<host>:<port>'
    : 'the proxy does not accept the user and password (407)';
}

/** Headers of a request through the proxy: for http the whole request, for https only its CONNECT. */
export function proxyHeaders({ user, password }: HttpProxy): Record<string, string> {
  if (user === undefined) return {};
  const credentials = Buffer.from(`${user}:${password ?? ''}`).toString('base64');
  return { 'proxy-authorization': `Basic ${credentials}` };
}

/** Opens a TLS connection to an https server through a proxy (CONNECT): the proxy sees only its name and port. */
export async function openTunnel(
  proxy: HttpProxy,
  target: URL,
  options: TunnelOptions,
): Promise<tls.TLSSocket> {
  const socket = await connectThrough(proxy, target, options);
  const host = hostOf(target);
  return tls.connect({
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(options.ca && { ca: [...options.ca] }),
  });
}

async function connectThrough(
  proxy: HttpProxy,
  target: URL,
  { ca, signal, timeoutMs }: TunnelOptions,
): Promise<Socket> {
  const place = `${target.hostname}:${portOf(target)}`;
  const { url } = proxy;
  const options: https.RequestOptions = {
    method: 'CONNECT',
    host: hostOf(url),
    port: portOf(url),
    path: place,
    headers: { host: place, ...proxyHeaders(proxy) },
    agent: false,
    timeout: timeoutMs,
    signal,
    ...(ca && { ca: [...ca] }),
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest = url.protocol === 'https:' ? https.request(options) : http.request(options);
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(
        signal.aborted ? error : Object.assign(unreachable(url, error), error.code && { code: error.code }),
      );
    request.on('timeout', () => request.destroy(new Error(`it was silent for ${timeoutMs / 1000} s`)));
    request.on('error', fail);
    request.on('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new ProxyRefusalError(reasonOf(statusCode, place, proxy), statusCode));
    });
    request.on('response', (response: IncomingMessage) => {
      response.destroy();
      reject(
        new ProxyRefusalError(reasonOf(response.statusCode ?? 0, place, proxy), response.statusCode ?? 0),
      );
    });
    request.end();
  });
}

const unreachable = ({ host }: URL, error: Error): Error =>
  new Error(`cannot connect to the proxy ${host}: ${error.message}`, { cause: error });

const reasonOf = (statusCode: number, place: string, proxy: HttpProxy): string =>
  statusCode === 407
    ? proxyDenial(proxy)
    : `the proxy does not connect to ${place}: it returned ${statusCode}`;
