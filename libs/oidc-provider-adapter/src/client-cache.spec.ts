import { ClientCache, MAX_STALENESS_MS } from './client-cache.js';
import type { ClientDocument } from './client-document.js';
import type { ReadResult } from './registry-api.js';

const MEBIBYTE = 1024 * 1024;

const document = (clientId: string, name: string): ClientDocument => ({
  client_id: clientId,
  client_name: name,
  enabled: true,
  redirect_uris: ['https://shop.example/cb'],
  redirect_uri_validation_method: 'full_match',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
});

/** A registry that holds its responses back until the test releases them, and a manual clock. */
class Scene {
  now = 0;
  /** The Client's name at the registry; undefined if the Client does not exist. */
  name: string | undefined = 'first';
  isAway = false;
  bytes = 100;
  readonly requests: string[] = [];
  private waiting: (() => void)[] = [];
  readonly cache = new ClientCache(
    (clientId, etag) => this.read(clientId, etag),
    MEBIBYTE,
    () => this.now,
  );

  constructor(private readonly isSlow = false) {}

  async nameOf(clientId = 'shop'): Promise<unknown> {
    return (await this.cache.find(clientId))?.['client_name'];
  }

  /** Answers all pending reads with the state at the time of their request. */
  answer(): void {
    for (const go of this.waiting.splice(0)) go();
  }

  private async read(clientId: string, etag: string | undefined): Promise<ReadResult> {
    this.requests.push(`${clientId} ${etag ?? ''}`.trim());
    const { name, isAway, bytes } = this;
    if (this.isSlow) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (isAway) throw new Error('away');
    if (name === undefined) return { kind: 'none' };
    if (etag === name) return { kind: 'unchanged' };
    return { kind: 'client', client: document(clientId, name), etag: name, bytes };
  }
}

test('a Client is read at most once a second, and then conditionally', async () => {
  const scene = new Scene();
  expect(await scene.nameOf()).toBe('first');
  scene.now = MAX_STALENESS_MS - 1;
  expect(await scene.nameOf()).toBe('first');
  expect(scene.requests).toEqual(['shop']);
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('first');
  expect(scene.requests).toEqual(['shop', 'shop first']);
});

test('a change takes effect within a second even without the feed', async () => {
  const scene = new Scene();
  await scene.nameOf();
  scene.name = 'second';
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('second');
});

test('a missing Client is cached for just as long', async () => {
  const scene = new Scene();
  scene.name = undefined;
  expect(await scene.nameOf()).toBeUndefined();
  scene.name = 'registered';
  scene.now = MAX_STALENESS_MS - 1;
  expect(await scene.nameOf()).toBeUndefined();
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('registered');
});

test('a deleted Client is no longer served from the cache', async () => {
  const scene = new Scene();
  await scene.nameOf();
  scene.name = undefined;
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBeUndefined();
  scene.name = 'first';
  scene.now = 2 * MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('first');
});

test('staleness is measured from the start of the read, not from its response', async () => {
  const scene = new Scene(true);
  const found = scene.nameOf();
  scene.name = 'second';
  scene.now = MAX_STALENESS_MS - 1;
  scene.answer();
  expect(await found).toBe('first');
  scene.now = MAX_STALENESS_MS;
  const later = scene.nameOf();
  scene.answer();
  expect(await later).toBe('second');
});

test('concurrent lookups share a read that started less than a second ago', async () => {
  const scene = new Scene(true);
  const first = scene.nameOf();
  const second = scene.nameOf();
  expect(scene.requests).toHaveLength(1);
  scene.name = 'second';
  scene.now = MAX_STALENESS_MS;
  const third = scene.nameOf();
  expect(scene.requests).toHaveLength(2);
  scene.answer();
  expect(await Promise.all([first, second, third])).toEqual(['first', 'first', 'second']);
  // The older read's result must not be cached, whenever it arrives.
  expect(await scene.nameOf()).toBe('second');
});

test.each<[string, (scene: Scene) => void]>([
  ['the Client has changed', ({ cache }) => cache.forget('shop')],
  ['any Client may have changed', ({ cache }) => cache.forgetAll()],
])('once notified that %s, it reads the Client again at once', async (_case, notify) => {
  const scene = new Scene();
  await scene.nameOf();
  scene.name = 'second';
  notify(scene);
  expect(await scene.nameOf()).toBe('second');
});

test.each<[string, (scene: Scene) => void]>([
  ['a change', ({ cache }) => cache.forget('shop')],
  ['a gap in the feed', ({ cache }) => cache.forgetAll()],
])('after %s during a read, its result serves only lookups made before', async (_case, notify) => {
  const scene = new Scene(true);
  const before = scene.nameOf();
  scene.name = 'second';
  notify(scene);
  const after = scene.nameOf();
  scene.answer();
  expect([await before, await after]).toEqual(['first', 'second']);
  expect(await scene.nameOf()).toBe('second');
});

test('a change to one Client leaves the others cached', async () => {
  const scene = new Scene();
  await scene.nameOf('portal');
  scene.cache.forget('shop');
  await scene.nameOf('portal');
  expect(scene.requests).toEqual(['portal']);
});

test('an unreachable registry is an error even for a cached Client, and only while it lasts', async () => {
  const scene = new Scene();
  await scene.nameOf();
  scene.isAway = true;
  expect(await scene.nameOf()).toBe('first');
  scene.now = MAX_STALENESS_MS;
  await expect(scene.nameOf()).rejects.toThrow('away');
  scene.isAway = false;
  expect(await scene.nameOf()).toBe('first');
});

test('memory is bounded: the least recently used Client is evicted', async () => {
  const scene = new Scene();
  scene.bytes = MEBIBYTE / 4;
  for (const clientId of ['a', 'b', 'c', 'd', 'a']) await scene.nameOf(clientId);
  expect(scene.requests).toEqual(['a', 'b', 'c', 'd', 'a']);
  await scene.nameOf('d');
  expect(scene.requests).toHaveLength(5);
});

test('a Client too large for the cache is still returned', async () => {
  const scene = new Scene();
  scene.bytes = 2 * MEBIBYTE;
  expect([await scene.nameOf(), await scene.nameOf()]).toEqual(['first', 'first']);
});
