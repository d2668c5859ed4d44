import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePort } from '@svc/test-servers';
import { readPage } from './support/documented-tables.js';

const found = spawnSync(process.execPath, ['tools/setup/debian-program.mjs', 'nginx', 'usr/sbin/nginx'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  encoding: 'utf8',
});
/** Elsewhere than on Debian, the run says that this was skipped. */
const onNginx = found.status === 0 ? test : test.skip;
const PROGRAM = found.stdout.trim();

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A registry's place behind nginx. */
class Replica {
  readonly received: Received[] = [];

  private constructor(private readonly server: Server) {}

  static async listen(handler: Handler): Promise<Replica> {
    const replica: Replica = new Replica(
      createServer((request, response) => void replica.serve(handler, request, response)),
    );
    replica.server.listen(0, '127.0.0.1');
    await once(replica.server, 'listening');
    return replica;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async serve(handler: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method, url, headers } = request;
    this.received.push({ method, url, headers, body });
    handler(request, response);
  }
}

let folder: string;
const replicas: Replica[] = [];
let nginx: ChildProcess | undefined;
let port: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'));
});
afterEach(async () => {
  if (nginx?.exitCode === null) {
    nginx.kill('SIGTERM');
    await once(nginx, 'close');
  }
  for (const replica of replicas.splice(0)) replica.close();
  rmSync(folder, { recursive: true });
});

async function replica(handler: Handler): Promise<Replica> {
  const made = await Replica.listen(handler);
  replicas.push(made);
  return made;
}

/** The file of the image, with addresses and folders that are free here. */
async function balance(first: string, second: string): Promise<void> {
  port = await freePort();
  const configuration = readPage('docker/nginx.conf')
    .replaceAll('svc-registry:8080', first)
    .replaceAll('svc-registry-2:8080', second)
    .replaceAll('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('worker_processes auto', 'worker_processes 1')
    .replaceAll('/tmp/', `${folder}/`);
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  nginx = spawn(
    PROGRAM,
    ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'],
    {
      stdio: 'ignore',
    },
  );
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
}

async function ask(method: string, path = '/client/shop', headers: Record<string, string> = {}) {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(hasBody && { body: '{"client_name":"Shop"}' }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const ok: Handler = (_request, response) => response.end('{}');
const drop: Handler = ({ socket }) => socket.destroy();

onNginx('a 503 of the registry reaches its caller, and every replica stays in use', async () => {
  const unavailable: Handler = (_request, response) =>
    response.writeHead(503, { 'retry-after': '2', 'content-type': 'application/problem+json' }).end('{}');
  const both = [await replica(unavailable), await replica(unavailable)];
  await balance(both[0]!.address, both[1]!.address);
  for (let request = 0; request < 10; request += 1) {
    const { status, headers, text } = await ask('GET');
    expect([status, headers.get('retry-after'), text]).toEqual([503, '2', '{}']);
  }
  expect(both.map(({ received }) => received.length)).toEqual([5, 5]);
});

onNginx.each(['GET', 'HEAD'])('a %s that one replica drops is answered by the other', async (method) => {
  const [dropping, serving] = [await replica(drop), await replica(ok)];
  await balance(dropping.address, serving.address);
  for (let request = 0; request < 4; request += 1) expect((await ask(method)).status).toBe(200);
  expect(dropping.received).toHaveLength(1);
});

onNginx.each(['POST', 'PATCH', 'PUT', 'DELETE'])(
  'a %s that one replica may have carried out is not sent to the other',
  async (method) => {
    const both = [await replica(drop), await replica(drop)];
    await balance(both[0]!.address, both[1]!.address);
    expect((await ask(method)).status).toBe(502);
    expect(both.flatMap(({ received }) => received.map((each) => each.method))).toEqual([method]);
  },
);

onNginx.each(['GET', 'POST', 'PATCH'])(
  'a %s that does not reach one replica reaches the other',
  async (method) => {
    const serving = await replica(ok);
    await balance(`127.0.0.1:${await freePort()}`, serving.address);
    for (let request = 0; request < 4; request += 1) expect((await ask(method)).status).toBe(200);
    expect(serving.received).toHaveLength(4);
  },
);

onNginx.each(['GET', 'PUT', 'DELETE'])(
  'a %s arrives as it was sent, except that nginx alone says where from',
  async (method) => {
    const both = [await replica(ok), await replica(ok)];
    await balance(both[0]!.address, both[1]!.address);
    const path = '/client/second%2Fone?a=%20b//c';
    expect((await ask(method, path, { 'x-forwarded-for': '203.0.113.9', 'if-match': '"1"' })).status).toBe(
      200,
    );
    expect(both.flatMap(({ received }) => received)).toEqual([
      {
        method,
        url: path,
        body: method === 'PUT' ? '{"client_name":"Shop"}' : '',
        headers: expect.objectContaining({
          host: `127.0.0.1:${port}`,
          'x-forwarded-for': '127.0.0.1',
          'x-forwarded-proto': 'http',
          'if-match': '"1"',
        }),
      },
    ]);
  },
);
