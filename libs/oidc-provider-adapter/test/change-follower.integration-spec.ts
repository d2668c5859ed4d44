import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ChangeFollower } from '../src/change-follower.js';
import { RegistryApi } from '../src/registry-api.js';
import { RegistryHttp } from '../src/registry-http.js';
import { readOptions } from '../src/registry-options.js';
import { type Answer, type FakeRegistry, startFakeRegistry } from './fake-registry.js';

let registry: FakeRegistry;
let http: RegistryHttp;
let follower: ChangeFollower;
let streams: ServerResponse[];
/** What the follower has told, in its order. */
let told: string[];
let onTold = (): void => undefined;

const tell = (line: string): void => {
  told.push(line);
  onTold();
};

const open: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 10\nid: 7\n\n');
  streams.push(response);
};

const follow = async (answer: Answer, silenceMs?: number) => {
  [streams, told] = [[], []];
  registry = await startFakeRegistry(answer);
  http = new RegistryHttp(readOptions({ url: registry.url, token: 'a-token', timeoutMs: 5_000 }));
  const api = new RegistryApi(http);
  const listener = {
    changed: (clientId: string) => tell(`changed ${clientId}`),
    begun: () => tell('begun'),
    told: (state: { following: boolean; reason?: string }) =>
      tell(state.following ? 'following' : `away: ${state.reason}`),
  };
  follower = new ChangeFollower(() => api.openChanges(), listener, silenceMs);
};
afterEach(async () => {
  const stopped = follower.stop();
  http.close();
  await stopped;
  await registry.stop();
});

/** Resolves once all of these lines were told, in this order and nothing between. */
const tells = async (...lines: (string | RegExp)[]) => {
  while (told.length < lines.length) await new Promise<void>((resolve) => (onTold = resolve));
  expect(told.splice(0, lines.length)).toEqual(
    lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
  );
};

const change = (clientId: string) => `id: 8\ndata: ${JSON.stringify({ seq: 8, client_id: clientId })}\n\n`;

test('each change is told as it comes, however it is cut on its way', async () => {
  await follow(open);
  await tells('begun', 'following');
  const bytes = Buffer.from(change('sho\u0301p') + ': keep-alive\n\n' + change('portal'));
  for (const byte of bytes) streams[0]?.write(Buffer.of(byte));
  await tells('changed sho\u0301p', 'changed portal');
  expect(registry.asked).toEqual(['GET /clients/changes Bearer a-token']);
});

test.each<[string, (stream: ServerResponse) => void, RegExp]>([
  ['ends', (stream) => stream.end(), /^away: the registry has ended the change feed$/],
  ['breaks', (stream) => stream.socket?.resetAndDestroy(), /^away: the connection broke \(ECONNRESET\)$/],
])('a feed that %s is opened again, and nothing known before counts', async (_case, end, reason) => {
  await follow(open);
  await tells('begun', 'following');
  end(streams[0]!);
  await tells(reason, 'begun', 'following');
  streams[1]?.write(change('shop'));
  await tells('changed shop');
});

test('a feed that has died on its way, without a word, is opened again', async () => {
  await follow(open, 200);
  await tells('begun', 'following', 'away: the change feed is silent', 'begun', 'following');
});

test('an event that nobody can read is a change of any Client', async () => {
  await follow(open);
  await tells('begun', 'following');
  streams[0]?.write('data: {"client_id":\n\n');
  await tells('begun');
});

test('an event without end is not kept', async () => {
  await follow(open);
  await tells('begun', 'following');
  const line = `data: ${'x'.repeat(65_536)}\n`;
  Readable.from(Array.from({ length: 80 }, () => line)).pipe(streams[0]!, { end: false });
  await tells(/^away: .*buffer size/, 'begun', 'following');
});

test.each<[string, Answer, RegExp]>([
  [
    'is refused',
    (_, response) => void response.writeHead(401).end(),
    /^away: GET \/clients\/changes answers 401: the token/,
  ],
  [
    'is no feed',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    /^away: GET \/clients\/changes answers 200: that is no registry/,
  ],
])('a feed that %s is told, and tried again', async (_case, refuse, reason) => {
  let tries = 0;
  await follow((request, response) => ((tries += 1) === 1 ? refuse : open)(request, response));
  await tells(reason, 'begun', 'following');
});

test('the feed says how long to wait at least before it is opened again', async () => {
  await follow((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end('retry: 4000\n\n');
  });
  await tells('begun', 'following', 'away: the registry has ended the change feed');
  const began = performance.now();
  await tells('begun', 'following');
  // A half of it, at random, is left off; without it no pause is longer than a second.
  expect(performance.now() - began).toBeGreaterThan(1_900);
});

test('a feed that would have it opened again at once is not asked without a pause', async () => {
  await follow((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end('retry: 0\n\n');
  });
  const end = performance.now() + 300;
  while (performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  // 5 ms at least between two of them.
  expect(registry.asked.length).toBeGreaterThan(2);
  expect(registry.asked.length).toBeLessThan(62);
});

test('stopping ends the connection, and tells nothing', async () => {
  await follow(open);
  await tells('begun', 'following');
  const [stream] = streams;
  await Promise.all([follower.stop(), once(stream!, 'close')]);
  expect(told).toEqual([]);
  expect(registry.asked).toHaveLength(1);
});
