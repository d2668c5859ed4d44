import { once } from 'node:events';
import { setImmediate as settled } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { ChangePosition } from '../clients/change-position.js';
import { changesGone } from './change-reader.js';
import { ChangeStream } from './change-stream.js';
import { FULL_VIEW } from './feed-view.js';
import type { EncodedChange } from './recent-changes.js';

const at = (seq: number): ChangePosition => ({ seq, mark: '' });

const change = (seq: number, size = 1_000): EncodedChange => {
  const bytes = Buffer.from(`id: ${seq}\ndata: ${'x'.repeat(size)}\n\n`);
  return { position: at(seq), size: bytes.length, bytesFor: () => bytes };
};

/** A change that the reader does not see. */
const hidden = (seq: number): EncodedChange => ({ ...change(seq), bytesFor: () => Buffer.alloc(0) });

/** A feed whose changes up to `readable` have to be read, and whose later ones are at hand. */
class Feed {
  changes: EncodedChange[] = [];
  readable = 0;
  failure: Error | undefined;
  reads = 0;

  recentAfter({ seq }: ChangePosition) {
    return seq < this.readable ? undefined : this.changes.filter(({ position }) => position.seq > seq);
  }

  async readAfter({ seq }: ChangePosition) {
    this.reads += 1;
    await settled();
    if (this.failure) throw this.failure;
    return this.changes.filter(({ position }) => position.seq > seq).slice(0, 10);
  }
}

const feed = new Feed();
const open = (position = 0, view = FULL_VIEW) =>
  new ChangeStream(feed, { value: 'token' }, view).begin(at(position));
const seqsOf = (text: string) => [...text.matchAll(/^id: (\d+)\ndata/gm)].map(([, seq]) => Number(seq));

/** All that comes while somebody reads. */
const read = (stream: ChangeStream): (() => string) => {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
};

const quiet = async () => {
  for (let turn = 0; turn < 50; turn += 1) await settled();
};

beforeEach(() => Object.assign(feed, new Feed()));

test('it reports where it starts and when to reconnect', () => {
  const text = String(open(7).read());
  expect(text).toMatch(/^retry: [12]\d{3}\nid: 7\n\n$/);
});

test('it starts at a change by number and mark', () => {
  const stream = new ChangeStream(feed, { value: 'token' }, FULL_VIEW).begin({
    seq: 7,
    mark: '0123456789ab',
  });
  expect(String(stream.read())).toMatch(/^id: 7-0123456789ab$/m);
});

test('it sends the changes in memory, then each announced change', async () => {
  feed.changes = [change(1), change(2)];
  const stream = open(1);
  const received = read(stream);
  await quiet();
  feed.changes.push(change(5));
  stream.advance();
  stream.advance();
  await quiet();
  expect(seqsOf(received())).toEqual([2, 5]);
});

test('changes that are not in memory are read, as often as needed', async () => {
  feed.changes = Array.from({ length: 35 }, (_, index) => change(index + 1));
  feed.readable = 30;
  const received = read(open());
  await quiet();
  expect(seqsOf(received())).toEqual(feed.changes.map(({ position }) => position.seq));
  expect(feed.reads).toBe(3);
});

test('little is buffered for a reader that does not read; once it does, it gets everything in order', async () => {
  feed.changes = Array.from({ length: 5_000 }, (_, index) => change(index + 1));
  const stream = open();
  stream.read(0);
  for (let turn = 0; turn < 200; turn += 1) {
    stream.advance();
    await settled();
  }
  expect(stream.readableLength).toBeGreaterThan(0);
  expect(stream.readableLength).toBeLessThan(160 * 1024);
  const received = read(stream);
  await quiet();
  while (seqsOf(received()).length < 5_000) await settled();
  expect(seqsOf(received())).toEqual(feed.changes.map(({ position }) => position.seq));
});

test('a change larger than the buffer is still sent', async () => {
  feed.changes = [change(1, 200_000), change(2), change(3, 200_000)];
  const received = read(open());
  await quiet();
  expect(seqsOf(received())).toEqual([1, 2, 3]);
});

test('the stream survives a database error, and ends at a gap', async () => {
  feed.readable = 1;
  feed.changes = [change(1)];
  feed.failure = new Error('away');
  const stream = open();
  const received = read(stream);
  await quiet();
  feed.failure = undefined;
  stream.advance();
  await quiet();
  expect(seqsOf(received())).toEqual([1]);

  feed.readable = 9;
  feed.failure = changesGone('gone');
  const ended = once(stream, 'end');
  stream.advance();
  await ended;
});

test('it sends keep-alives while there are no changes', async () => {
  const stream = open();
  const received = read(stream);
  await quiet();
  stream.beat();
  await quiet();
  stream.beat();
  await quiet();
  expect(received().match(/^: keep-alive$/gm)).toHaveLength(2);
});

test('a reader that reads nothing for half a minute is disconnected, but not one without changes to read', async () => {
  jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick'] });
  const idle = open();
  read(idle);
  feed.changes = Array.from({ length: 500 }, (_, index) => change(index + 1));
  const stalled = open();
  stalled.read(0);
  await quiet();
  for (const ms of [20_000, 11_000]) {
    expect(stalled.destroyed).toBe(false);
    jest.advanceTimersByTime(ms);
    stalled.beat();
    idle.beat();
    await quiet();
  }
  expect([stalled.destroyed, idle.destroyed]).toEqual([true, false]);
  jest.useRealTimers();
});

test('finishing ends it in order for a reader that reads, and immediately for one that does not', async () => {
  const reading = open();
  read(reading);
  await quiet();
  const ended = once(reading, 'end');
  reading.finish();
  reading.finish();
  reading.advance();
  await ended;

  feed.changes = Array.from({ length: 500 }, (_, index) => change(index + 1));
  const stuck = open();
  stuck.read(0);
  await quiet();
  stuck.finish();
  expect(stuck.destroyed).toBe(true);
});

test('changes that the reader does not see are passed over, and it learns later how far it is', async () => {
  feed.changes = [...Array.from({ length: 25 }, (_, index) => hidden(index + 1)), change(26), hidden(27)];
  feed.readable = 20;
  const stream = open(0, { ...FULL_VIEW, selector: { labels: { team: ['shop'] } } });
  const received = read(stream);
  await quiet();
  expect(seqsOf(received())).toEqual([26]);
  stream.beat();
  await quiet();
  expect(received()).toMatch(/: keep-alive\n\nid: 27\n\n$/);
});

test.each(['destroy', 'finish'] as const)(
  '%s ends catching up through changes that the reader does not see',
  async (end) => {
    feed.changes = Array.from({ length: 1_000 }, (_, index) => hidden(index + 1));
    feed.readable = 1_000;
    const stream = open();
    read(stream);
    await settled();
    stream[end]();
    await quiet();
    expect(feed.reads).toBeLessThan(5);
  },
);
