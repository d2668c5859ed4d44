import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeFeed } from './change-feed.js';
import type { ChangeReader } from './change-reader.js';
import { ChangeStreams, MAX_STREAMS } from './change-streams.js';
import { ChangesGoneError } from './changes.errors.js';
import type { StreamAccess } from './stream-access.js';

/** Tokens that have ended; nothing while that cannot be told. */
let ended: Set<string> | undefined;
let followers: number;
let streams: ChangeStreams;

const feed = {
  recentAfter: (seq: number) => (seq < 5 ? undefined : []),
  readAfter: async () => [],
  follow: async () => {
    followers += 1;
    return 7;
  },
  leave: () => {
    followers -= 1;
  },
} as unknown as ChangeFeed;

const reader = {
  page: async (since: number) => {
    if (since < 2) throw new ChangesGoneError('gone');
  },
} as unknown as ChangeReader;

const access = {
  identify: async (value: string) => ({ value }),
  endedApiTokens: async () => {
    if (!ended) throw new Error('the database is away');
    return ended;
  },
} as unknown as StreamAccess;

beforeEach(() => {
  ended = new Set();
  followers = 0;
  streams = new ChangeStreams(feed, reader, access);
});
afterEach(() => streams.onModuleDestroy());

test(`there are at most ${MAX_STREAMS} at once; one that closes makes room`, async () => {
  const open = async () => streams.open(undefined, 'token');
  const all = await Promise.all(Array.from({ length: MAX_STREAMS }, open));
  await expect(open()).rejects.toThrow(
    'the server has 2000 streams open; try again later, or read the changes by paging',
  );
  all[0]?.destroy();
  await sleep(1);
  expect(followers).toBe(MAX_STREAMS - 1);
  all.push(await open());
  for (const stream of all) stream.destroy();
  await sleep(1);
  expect(followers).toBe(0);
});

test('one that cannot begin where it is asked to leaves nothing behind', async () => {
  await expect(streams.open(1, 'token')).rejects.toThrow(ChangesGoneError);
  const stream = await streams.open(3, 'token');
  expect(String(stream.read())).toContain('id: 3\n');
});

test('a stream outlives the time in which its token cannot be looked at, but not the token', async () => {
  ended = undefined;
  const [mine, theirs] = [await streams.open(5, 'mine'), await streams.open(5, 'theirs')];
  for (const stream of [mine, theirs]) stream.resume();
  await sleep(500);
  expect([mine.readableEnded, theirs.readableEnded]).toEqual([false, false]);
  ended = new Set(['mine']);
  await once(mine, 'end');
  expect(theirs.readableEnded).toBe(false);
});

test('what is opened while the process stops ends at once', async () => {
  streams.onModuleDestroy();
  const stream = await streams.open(5, 'token');
  expect(stream.destroyed).toBe(true);
});
