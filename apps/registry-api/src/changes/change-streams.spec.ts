import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangePosition } from '../clients/change-position.js';
import type { ChangeFeed } from './change-feed.js';
import { type ChangeReader, changesGone } from './change-reader.js';
import { ChangeStreams, MAX_STREAMS } from './change-streams.js';
import { FULL_VIEW } from './feed-view.js';
import type { StreamAccess } from './stream-access.js';

/** Tokens that have ended; undefined while that is unknown. */
let ended: Set<string> | undefined;
let followers: number;
let streams: ChangeStreams;

const at = (seq: number): ChangePosition => ({ seq, mark: '' });

const feed = {
  recentAfter: ({ seq }: ChangePosition) => (seq < 5 ? undefined : []),
  readAfter: async () => [],
  follow: async () => {
    followers += 1;
    return at(7);
  },
  leave: () => {
    followers -= 1;
  },
} as unknown as ChangeFeed;

const reader = {
  page: async ({ seq }: ChangePosition) => {
    if (seq < 2) throw changesGone('gone');
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

/** Each of another token and address. */
let opened = 0;
const stranger = () => ({
  id: `token ${(opened += 1)}`,
  address: `10.0.${opened >> 8}.${opened & 255}`,
  ...FULL_VIEW,
});

const ME = { id: 'me', address: '192.0.2.1', ...FULL_VIEW };

test(`at most ${MAX_STREAMS} are open at a time; closing one makes room`, async () => {
  const open = async () => streams.open(undefined, 'token', stranger());
  const all = await Promise.all(Array.from({ length: MAX_STREAMS }, open));
  await expect(open()).rejects.toThrow(
    '2000 change streams are in progress; try again later, or read the changes by paging',
  );
  all[0]?.destroy();
  await sleep(1);
  expect(followers).toBe(MAX_STREAMS - 1);
  all.push(await open());
  for (const stream of all) stream.destroy();
  await sleep(1);
  expect(followers).toBe(0);
});

test('one token can open a quarter of them, and others still get one', async () => {
  const open = async () => streams.open(undefined, 'token', ME);
  const mine = await Promise.all(Array.from({ length: MAX_STREAMS / 4 }, open));
  await expect(open()).rejects.toThrow(
    "this token already has 500 change streams in progress, the most it may have (the server's limit is 2000)",
  );
  await streams.open(undefined, 'token', stranger());
  mine[0]?.destroy();
  await sleep(1);
  await open();
});

test('one that cannot start where requested leaves no trace', async () => {
  await expect(streams.open(at(1), 'token', ME)).rejects.toMatchObject({ code: 'changes_gone' });
  const stream = await streams.open(at(3), 'token', ME);
  expect(String(stream.read())).toContain('id: 3\n');
});

test('a stream outlives the time during which its token cannot be checked, but not the token', async () => {
  ended = undefined;
  const [mine, theirs] = [await streams.open(at(5), 'mine', ME), await streams.open(at(5), 'theirs', ME)];
  for (const stream of [mine, theirs]) stream.resume();
  await sleep(500);
  expect([mine.readableEnded, theirs.readableEnded]).toEqual([false, false]);
  ended = new Set(['mine']);
  await once(mine, 'end');
  expect(theirs.readableEnded).toBe(false);
});

test('a stream opened while the process stops ends immediately', async () => {
  streams.onModuleDestroy();
  const stream = await streams.open(at(5), 'token', ME);
  expect(stream.destroyed).toBe(true);
});
