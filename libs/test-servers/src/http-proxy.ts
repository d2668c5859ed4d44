import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy on loopback that routes every name to one server, so that made-up names can be used. */
export interface HttpProxyServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** `CONNECT git.example.com:443`, or `GET http://git.example.com/x`, in order. */
  readonly requests: readonly string[];
  /** Answers these statuses to the next requests; 0: never answers. Success statuses let CONNECT pass. */
  readonly statuses: number[];
  stop(): Promise<void>;
}

export interface HttpProxyOptions {
  /** `host:port` of the only server behind it. */
  readonly target: string;
  /** Basic authentication. */
  readonly user?: string;
  readonly password?: string;
  /** PEM of a key and its certificate: listens for https. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function startHttpProxy({
  target,
  user,
  password,
  tls,
}: HttpProxyOptions): Promise<HttpProxyServer> {
  const requests: string[] = [];
  const statuses: number[] = [];
  const sockets = new Set<Socket>();
  const [hostname = '', port = ''] = target.split(':');
  const expected = user && `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`;
  /** The status to answer, unless the request may pass. */
  const refusalOf = ({ method, url, headers }: IncomingMessage): number | undefined => {
    requests.push(`${method} ${url}`);
    return expected && headers['proxy-authorization'] !== expected ? 407 : statuses.shift();
  };
  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const status = refusalOf(request);
    if (status === 0) return;
    // A careless proxy shows what it was sent.
    if (status) return void response.writeHead(status).end(request.headers['proxy-authorization'] ?? '');
    const { pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const { 'proxy-authorization': _own, ...passed } = headers;
    const onward = http.request({ hostname, port, method, path: pathname + search, headers: passed });
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  };
  const server = tls ? https.createServer(tls, forward) : http.createServer(forward);
  server.on('connection', (socket: Socket) => keep(socket, sockets));
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const open = () => keep(connect(Number(port), hostname), sockets);
    answerConnect(refusalOf(request) ?? 200, client, head, open);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    statuses,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerConnect(status: number, client: Socket, head: Buffer, open: () => Socket): void {
  if (status === 0) return;
  if (status >= 300) return void client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
  const upstream = open();
  client.write(`HTTP/1.1 ${status} Connection established\r\n\r\n`);
  upstream.write(head);
  client.pipe(upstream).pipe(client);
}

function keep(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  return socket.on('close', () => sockets.delete(socket));
}
