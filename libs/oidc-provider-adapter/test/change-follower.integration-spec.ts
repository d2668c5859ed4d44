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
/** The follower's notifications, in order. */
let notified: string[];
let onNotified = (): void => undefined;

const notify = (line: string): void => {
  notified.push(line);
  onNotified();
};

const open: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 10\nid: 7\n\n');
  streams.push(response);
};

const follow = async (answer: Answer, idleTimeoutMs?: number) => {
  [streams, notified] = [[], []];
  registry = await startFakeRegistry(answer);
  http = new RegistryHttp(readOptions({ url: registry.url, token: 'a-token', timeoutMs: 5_000 }));
  const api = new RegistryApi(http);
  const listener = {
    changed: (clientId: string, position: string | undefined) => notify(`changed ${clientId} in ${position}`),
    changedAny: (position: string | undefined) => notify(`changed any in ${position}`),
    started: () => notify('started'),
    feedChanged: (state: { following: boolean; reason?: string }) =>
      notify(state.following ? 'following' : `down: ${state.reason}`),
  };
  follower = new ChangeFollower(() => api.openChanges(), listener, idleTimeoutMs);
};
afterEach(async () => {
  const stopped = follower.stop();
  http.close();
  await stopped;
  await registry.stop();
});

/** Resolves once the follower has sent exactly these notifications, in this order. */
const expectNotified = async (...lines: (string | RegExp)[]) => {
  while (notified.length < lines.length) await new Promise<void>((resolve) => (onNotified = resolve));
  expect(notified.splice(0, lines.length)).toEqual(
    lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
  );
};

const change = (clientId: string) => `id: 8\ndata: ${JSON.stringify({ seq: 8, client_id: clientId })}\n\n`;

test('each change is reported as it arrives, however the stream is chunked', async () => {
  await follow(open);
  await expectNotified('started', 'following');
  const bytes = Buffer.from(change('sho\u0301p') + ': keep-alive\n\n' + change('portal'));
  for (const byte of bytes) streams[0]?.write(Buffer.of(byte));
  await expectNotified('changed sho\u0301p in 8', 'changed portal in 8');
  expect(registry.requests).toEqual(['GET /clients/changes Bearer a-token']);
});

test.each<[string, (stream: ServerResponse) => void, RegExp]>([
  ['ends', (stream) => stream.end(), /^down: the registry ended the change feed$/],
  ['breaks', (stream) => stream.socket?.resetAndDestroy(), /^down: the connection was lost \(ECONNRESET\)$/],
])('a feed that %s is reopened, and everything known is discarded', async (_case, end, reason) => {
  await follow(open);
  await expectNotified('started', 'following');
  end(streams[0]!);
  await expectNotified(reason, 'started', 'following');
  streams[1]?.write(change('shop'));
  await expectNotified('changed shop in 8');
});

test('a feed that goes silent is reopened', async () => {
  await follow(open, 200);
  await expectNotified('started', 'following', 'down: the change feed went silent', 'started', 'following');
});

test('an unreadable event counts as a change to any Client', async () => {
  await follow(open);
  await expectNotified('started', 'following');
  streams[0]?.write('id: 9\ndata: {"client_id":\n\n');
  await expectNotified('changed any in 9');
});

test('an endless event is not buffered', async () => {
  await follow(open);
  await expectNotified('started', 'following');
  const line = `data: ${'x'.repeat(65_536)}\n`;
  Readable.from(Array.from({ length: 80 }, () => line)).pipe(streams[0]!, { end: false });
  await expectNotified(/^down: .*buffer size/, 'started', 'following');
});

test.each<[string, Answer, RegExp]>([
  [
    'is rejected',
    (_, response) => void response.writeHead(401).end(),
    /^down: GET \/clients\/changes returned 401: the token/,
  ],
  [
    'is not an event stream',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    /^down: GET \/clients\/changes returned 200: not a registry/,
  ],
])('a feed that %s is reported and retried', async (_case, refuse, reason) => {
  let tries = 0;
  await follow((request, response) => ((tries += 1) === 1 ? refuse : open)(request, response));
  await expectNotified(reason, 'started', 'following');
});

test('the feed sets the minimum wait before reconnecting', async () => {
  await follow((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end('retry: 4000\n\n');
  });
  await expectNotified('started', 'following', 'down: the registry ended the change feed');
  const began = performance.now();
  await expectNotified('started', 'following');
  // Jitter takes off up to half; without `retry`, no pause exceeds a second.
  expect(performance.now() - began).toBeGreaterThan(1_900);
});

test('reconnecting pauses even if the feed asks for none', async () => {
  await follow((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.end('retry: 0\n\n');
  });
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  while (elapsedMs() < 300 || registry.requests.length < 3)
    await new Promise((resolve) => setTimeout(resolve, 10));
  // At least 5 ms apart.
  expect(registry.requests.length).toBeLessThan(elapsedMs() / 5 + 2);
});

test('stopping closes the connection without a notification', async () => {
  await follow(open);
  await expectNotified('started', 'following');
  const [stream] = streams;
  await Promise.all([follower.stop(), once(stream!, 'close')]);
  expect(notified).toEqual([]);
  expect(registry.requests).toHaveLength(1);
});
