import { ClientCache, MAX_STALENESS_MS } from './client-cache.js';
import type { ClientDocument } from './client-document.js';
import type { Found } from './registry-api.js';

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

/** A registry whose answers are held back until the test lets them go, and a clock that the test sets. */
class Scene {
  now = 0;
  /** What the registry has; nothing: there is no such Client. */
  name: string | undefined = 'first';
  isAway = false;
  bytes = 100;
  readonly asked: string[] = [];
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

  /** Answers all that wait, with the state of when they asked. */
  answer(): void {
    for (const go of this.waiting.splice(0)) go();
  }

  private async read(clientId: string, etag: string | undefined): Promise<Found> {
    this.asked.push(`${clientId} ${etag ?? ''}`.trim());
    const { name, isAway, bytes } = this;
    if (this.isSlow) await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (isAway) throw new Error('away');
    if (name === undefined) return { kind: 'none' };
    if (etag === name) return { kind: 'unchanged' };
    return { kind: 'client', client: document(clientId, name), etag: name, bytes };
  }
}

test('a Client is read once in a second, and then only if it has changed', async () => {
  const scene = new Scene();
  expect(await scene.nameOf()).toBe('first');
  scene.now = MAX_STALENESS_MS - 1;
  expect(await scene.nameOf()).toBe('first');
  expect(scene.asked).toEqual(['shop']);
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('first');
  expect(scene.asked).toEqual(['shop', 'shop first']);
});

test('a change counts after a second at the latest, though nobody tells of it', async () => {
  const scene = new Scene();
  await scene.nameOf();
  scene.name = 'second';
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('second');
});

test('that there is no such Client is known as long and no longer', async () => {
  const scene = new Scene();
  scene.name = undefined;
  expect(await scene.nameOf()).toBeUndefined();
  scene.name = 'registered';
  scene.now = MAX_STALENESS_MS - 1;
  expect(await scene.nameOf()).toBeUndefined();
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('registered');
});

test('a Client that is gone is not remembered by its former state', async () => {
  const scene = new Scene();
  await scene.nameOf();
  scene.name = undefined;
  scene.now = MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBeUndefined();
  scene.name = 'first';
  scene.now = 2 * MAX_STALENESS_MS;
  expect(await scene.nameOf()).toBe('first');
});

test('time counts from when a Client was asked for, not from the answer', async () => {
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

test('whoever asks while it is read waits for that answer, unless it was begun a second ago', async () => {
  const scene = new Scene(true);
  const first = scene.nameOf();
  const second = scene.nameOf();
  expect(scene.asked).toHaveLength(1);
  scene.name = 'second';
  scene.now = MAX_STALENESS_MS;
  const third = scene.nameOf();
  expect(scene.asked).toHaveLength(2);
  scene.answer();
  expect(await Promise.all([first, second, third])).toEqual(['first', 'first', 'second']);
  // The former answer, whenever it came, is kept for nobody.
  expect(await scene.nameOf()).toBe('second');
});

test.each<[string, (scene: Scene) => void]>([
  ['that it has changed', ({ cache }) => cache.forget('shop')],
  ['that any may have changed', ({ cache }) => cache.forgetAll()],
])('once it is told %s, it is read anew at once', async (_case, tell) => {
  const scene = new Scene();
  await scene.nameOf();
  scene.name = 'second';
  tell(scene);
  expect(await scene.nameOf()).toBe('second');
});

test.each<[string, (scene: Scene) => void]>([
  ['a change', ({ cache }) => cache.forget('shop')],
  ['a gap in the feed', ({ cache }) => cache.forgetAll()],
])(
  '%s while a Client is read makes the answer count for those alone who asked before',
  async (_case, tell) => {
    const scene = new Scene(true);
    const before = scene.nameOf();
    scene.name = 'second';
    tell(scene);
    const after = scene.nameOf();
    scene.answer();
    expect([await before, await after]).toEqual(['first', 'second']);
    expect(await scene.nameOf()).toBe('second');
  },
);

test('a change of one Client lets the others be', async () => {
  const scene = new Scene();
  await scene.nameOf('portal');
  scene.cache.forget('shop');
  await scene.nameOf('portal');
  expect(scene.asked).toEqual(['portal']);
});

test('a registry that is away is an error, even for a Client that was known, and not for longer than it is', async () => {
  const scene = new Scene();
  await scene.nameOf();
  scene.isAway = true;
  expect(await scene.nameOf()).toBe('first');
  scene.now = MAX_STALENESS_MS;
  await expect(scene.nameOf()).rejects.toThrow('away');
  scene.isAway = false;
  expect(await scene.nameOf()).toBe('first');
});

test('memory is bounded: what was asked for longest ago makes room', async () => {
  const scene = new Scene();
  scene.bytes = MEBIBYTE / 4;
  for (const clientId of ['a', 'b', 'c', 'd', 'a']) await scene.nameOf(clientId);
  expect(scene.asked).toEqual(['a', 'b', 'c', 'd', 'a']);
  await scene.nameOf('d');
  expect(scene.asked).toHaveLength(5);
});

test('a Client that fits nowhere is found all the same', async () => {
  const scene = new Scene();
  scene.bytes = 2 * MEBIBYTE;
  expect([await scene.nameOf(), await scene.nameOf()]).toEqual(['first', 'first']);
});
