import { execFile, spawn } from 'node:child_process';
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

export interface GitServerOptions {
  /** Folder whose bare repositories are served, as `<url>/<name>.git`. */
  readonly root: string;
  /** Basic authentication; without it, reading is public. */
  readonly user?: string;
  readonly token?: string;
  /** PEM files of a key and its certificate: serves https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Injected faults, which may be changed while the server runs. */
  readonly faults?: GitServerFaults;
}

export interface GitServerFaults {
  /** Stalls after this many bytes of the body, keeping the connection open. */
  stallAfter?: number;
  /** Cuts the connection after this many bytes of the body. */
  truncateAfter?: number;
  /** Answers every authorized request with this status and a custom text. */
  status?: number;
  text?: string;
  /** Number of requests answered with that status before normal service. Default: all. */
  times?: number;
  /** Number of requests whose connection is closed without a response. */
  hangUps?: number;
  /** Delay before answering a request for objects. */
  delayMs?: number;
  /** Redirects to this address. */
  redirectTo?: string;
  /** Speaks protocol version 0 only, like an old server. */
  onlyV0?: boolean;
  /** Does not offer partial clones. */
  noFilter?: boolean;
  /** Offers partial clones without files, but not without folders. */
  noTreeFilter?: boolean;
  /** Rejects fetches in version 0 without `multi_ack`, like Azure DevOps. */
  requireMultiAck?: boolean;
  /** Serves only the tips of branches and tags, and no other commits. */
  onlyAdvertised?: boolean;
  /** Sends all wanted objects but the last. */
  omitLast?: boolean;
}

export interface GitRequest {
  readonly method: string;
  readonly path: string;
  readonly authorized: boolean;
}

/** A read-only smart-HTTP git server on loopback: the real `git http-backend` behind basic authentication. */
export interface GitServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** `127.0.0.1:port` */
  readonly address: string;
  readonly requests: readonly GitRequest[];
  readonly faults: GitServerFaults;
  stop(): Promise<void>;
}

export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const requests: GitRequest[] = [];
  const faults: GitServerFaults = { ...options.faults };
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response, options, faults, requests).catch(() => response.destroy());
  };
  const { tls, host = '127.0.0.1' } = options;
  const server = tls
    ? https.createServer({ key: readFileSync(tls.key), cert: readFileSync(tls.cert) }, listener)
    : http.createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = `${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tls ? 'https' : 'http'}://${address}`,
    address,
    requests,
    faults,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: GitServerOptions,
  faults: GitServerFaults,
  requests: GitRequest[],
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://git');
  const authorized = isAuthorized(request, options);
  requests.push({ method: request.method ?? '', path: url.pathname + url.search, authorized });
  if (!authorized) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('HTTP Basic: Access denied\n');
    return;
  }
  if (faults.redirectTo) {
    response.writeHead(301, { location: faults.redirectTo + url.pathname + url.search }).end();
    return;
  }
  if (faults.delayMs && request.method === 'POST') await sleep(faults.delayMs, undefined, { ref: false });
  if (faults.hangUps) {
    faults.hangUps -= 1;
    request.socket.destroy();
    return;
  }
  const { status, text = 'fault\n', times = Infinity } = faults;
  if (status && times > 0) {
    faults.times = times - 1;
    response.writeHead(status).end(text);
    return;
  }
  if (url.pathname.split('/').includes('..') || (request.url ?? '').includes('git-receive-pack')) {
    response.writeHead(403).end();
    return;
  }
  const asked = await bodyOf(request);
  const body = faults.omitLast ? withoutLastWant(asked) : asked;
  const refusal =
    request.method === 'POST' ? await refusalOf(plain(request, body), url, options, faults) : undefined;
  if (refusal) {
    response.writeHead(refusal.status, { 'content-type': refusal.type }).end(refusal.text);
    return;
  }
  runBackend(request, body, response, url, options, faults);
}

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A strict server's error for a request for objects, if any. */
async function refusalOf(
  asked: string,
  { pathname }: URL,
  { root }: GitServerOptions,
  { requireMultiAck, onlyAdvertised }: GitServerFaults,
): Promise<Refusal | undefined> {
  const isV2 = asked.includes('command=');
  if (requireMultiAck && !isV2 && !asked.includes(' multi_ack')) {
    return { status: 400, type: 'text/plain', text: `${NO_MULTI_ACK}\n` };
  }
  if (!onlyAdvertised) return undefined;
  const [, name = ''] = /^\/([\w.-]+\.git)\//.exec(pathname) ?? [];
  const shown = await promisify(execFile)('git', ['-C', `${root}/${name}`, 'show-ref', '--head']);
  const unknown = [...asked.matchAll(/want ([0-9a-f]{40})/g)].find(([, oid]) => !shown.stdout.includes(oid!));
  if (!unknown) return undefined;
  const words = `ERR upload-pack: not our ref ${unknown[1]}`;
  const text = (words.length + 4).toString(16).padStart(4, '0') + words;
  return { status: 200, type: 'application/x-git-upload-pack-result', text };
}

const NO_MULTI_ACK = 'TF401041: The Git protocol sent is not as expected (Clients must support multi-ack.).';

function withoutLastWant(body: Buffer): Buffer {
  const wants = body.toString('latin1').match(/0032want [0-9a-f]{40}\n/g) ?? [];
  return wants.length < 2 ? body : Buffer.from(body.toString('latin1').replace(wants.at(-1)!, ''), 'latin1');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function plain({ headers }: IncomingMessage, body: Buffer): string {
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('latin1');
}

function isAuthorized(request: IncomingMessage, { user, token }: GitServerOptions): boolean {
  if (user === undefined) return true;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = `Basic ${Buffer.from(`${user}:${token ?? ''}`).toString('base64')}`;
  return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(expected));
}

function runBackend(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  url: URL,
  options: GitServerOptions,
  faults: GitServerFaults,
): void {
  const cgi = spawn('git', ['http-backend'], {
    env: { ...cgiEnvironment(request, url, options, faults), CONTENT_LENGTH: String(body.length) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  cgi.stdin.on('error', () => undefined);
  cgi.stdin.end(body);
  response.on('close', () => cgi.kill());
  let head: Buffer | undefined = Buffer.alloc(0);
  let sent = 0;
  const send = (chunk: Buffer) => {
    const room = (faults.stallAfter ?? Infinity) - sent;
    sent += chunk.length;
    if (faults.truncateAfter !== undefined && sent > faults.truncateAfter) response.socket?.destroy();
    else if (chunk.length > room) {
      // What still fits is sent: how much git writes at a time differs from run to run.
      response.write(chunk.subarray(0, Math.max(room, 0)));
      cgi.stdout.pause();
    } else if (!response.write(chunk)) {
      cgi.stdout.pause();
      response.once('drain', () => cgi.stdout.resume());
    }
  };
  cgi.stdout.on('data', (chunk: Buffer) => {
    if (head === undefined) return send(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    writeCgiHead(response, head.subarray(0, end).toString('latin1'));
    const body = head.subarray(end + 4);
    head = undefined;
    if (body.length > 0) send(body);
  });
  cgi.on('close', () => {
    if (faults.stallAfter !== undefined && sent > faults.stallAfter) return;
    if (head !== undefined) response.writeHead(500);
    response.end();
  });
}

function writeCgiHead(response: ServerResponse, text: string): void {
  let status = 200;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    if (name === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

function cgiEnvironment(
  request: IncomingMessage,
  url: URL,
  options: GitServerOptions,
  { onlyV0, noFilter, noTreeFilter }: GitServerFaults,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '4',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    GIT_CONFIG_KEY_1: 'uploadpack.allowAnySHA1InWant',
    GIT_CONFIG_VALUE_1: 'true',
    GIT_CONFIG_KEY_2: 'uploadpack.allowFilter',
    GIT_CONFIG_VALUE_2: noFilter ? 'false' : 'true',
    GIT_CONFIG_KEY_3: 'uploadpackfilter.tree.allow',
    GIT_CONFIG_VALUE_3: noTreeFilter ? 'false' : 'true',
    GIT_PROJECT_ROOT: options.root,
    GIT_HTTP_EXPORT_ALL: '1',
    REMOTE_USER: options.user ?? '',
    REMOTE_ADDR: request.socket.remoteAddress,
    REQUEST_METHOD: request.method,
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: onlyV0 ? '' : (request.headers['git-protocol']?.toString() ?? ''),
  };
}
