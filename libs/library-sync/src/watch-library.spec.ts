import { BlockedLibraryError, InvalidLibraryError } from './ports/library-finding.js';
import type { LoadReport } from './load-report.js';
import { fixedSource } from './testing/load-fixtures.js';
import { SourceChangedError } from './ports/library-source.js';
import { atRevision, watchDelay, watchLibrary, type WatchEvent } from './watch-library.js';

const REPORT = { skipped: false, load: 1 } as LoadReport;

/** Runs a watch over these polls: a revision, and the result of loading it. */
async function watch(
  looks: readonly { revision: string | Error; load?: LoadReport | Error }[],
  destinationMs?: number,
) {
  const events: WatchEvent[] = [];
  const loaded: string[] = [];
  const delays: number[] = [];
  const abort = new AbortController();
  let look = 0;
  const fail = <T>(value: T | Error): T => {
    if (value instanceof Error) throw value;
    return value;
  };
  await watchLibrary(
    {
      revision: async () => fail(looks[look]!.revision),
      load: async () => {
        loaded.push(String(looks[look]!.revision));
        return fail(looks[look]!.load ?? REPORT);
      },
    },
    {
      intervalMs: 1_000,
      stillMs: 0,
      ...(destinationMs !== undefined && { destinationMs }),
      signal: abort.signal,
      onEvent: (event) => events.push(event),
      sleep: async (ms) => {
        delays.push(ms);
        if ((look += 1) === looks.length) abort.abort();
      },
      random: () => 0.5,
    },
  );
  return { kinds: events.map(({ kind }) => kind), loaded, delays };
}

test('each poll loads, and unchanged revisions are reported as such', async () => {
  const { kinds, delays } = await watch([
    { revision: 'a' },
    { revision: 'a', load: { ...REPORT, skipped: true } },
  ]);
  expect(kinds).toEqual(['loaded', 'unchanged']);
  expect(delays).toEqual([1_000, 1_000]);
});

test('an unchanged source is compared with the destination only occasionally', async () => {
  const { kinds, loaded } = await watch(
    Array.from({ length: 7 }, () => ({ revision: 'a' })),
    2_500,
  );
  expect(loaded).toHaveLength(3);
  expect(kinds).toEqual(['loaded', 'unchanged', 'unchanged', 'loaded', 'unchanged', 'unchanged', 'loaded']);
});

test('a revision that comes back after another one failed is loaded again', async () => {
  const { loaded } = await watch(
    [{ revision: 'a' }, { revision: 'b', load: new Error('cut') }, { revision: 'a' }, { revision: 'a' }],
    60_000,
  );
  expect(loaded).toEqual(['a', 'b', 'a']);
});

test('an invalid revision is tried only once, the next one immediately', async () => {
  const load = new InvalidLibraryError([]);
  const { kinds, loaded } = await watch([
    { revision: 'bad', load },
    { revision: 'bad' },
    { revision: 'bad' },
    { revision: 'good' },
  ]);
  expect(kinds).toEqual(['failed', 'unchanged', 'unchanged', 'loaded']);
  expect(loaded).toEqual(['bad', 'good']);
});

/** Events of this many polls of an invalid revision, which become valid with the last one. */
const watchInvalid = async (polls: number, destinationMs?: number) =>
  watch(
    Array.from({ length: polls }, (_, poll) => ({
      revision: 'a',
      ...(poll < polls - 1 && { load: new InvalidLibraryError([]) }),
    })),
    destinationMs,
  );

test('an invalid revision is tried again at growing intervals, since the cause may lie outside the source', async () => {
  const { kinds, delays } = await watchInvalid(18, 8_000);
  const tried = kinds.flatMap((kind, poll) => (kind === 'unchanged' ? [] : [`${poll} ${kind}`]));
  // After 2, 4 and 8 unchanged polls, the limit.
  expect(tried).toEqual(['0 failed', '3 failed', '8 failed', '17 loaded']);
  expect(new Set(delays)).toEqual(new Set([1_000]));
});

test('an invalid revision is tried at each poll if polls are rarer than looks at the destination', async () => {
  expect((await watchInvalid(3, 500)).kinds).toEqual(['failed', 'failed', 'loaded']);
});

test('no delay is longer than timers can take, which would fire at once', () => {
  const week = 7 * 24 * 3_600_000;
  expect(watchDelay(week, 1, 1)).toBe(2 * week);
  expect(watchDelay(week, 2, 1)).toBe(2 ** 31 - 1);
  expect(watchDelay(2 ** 31 - 1, 0, 1.1)).toBe(2 ** 31 - 1);
});

test('a revision blocked by others’ nodes is retried with backoff', async () => {
  const load = new BlockedLibraryError([]);
  const { kinds, loaded, delays } = await watch([
    { revision: 'a', load },
    { revision: 'a', load },
    { revision: 'a' },
  ]);
  expect(kinds).toEqual(['failed', 'failed', 'loaded']);
  expect(loaded).toEqual(['a', 'a', 'a']);
  expect(delays).toEqual([2_000, 4_000, 1_000]);
});

test('unreachable servers are retried with backoff up to 32 times the interval, then at the normal rate', async () => {
  const away = { revision: new Error('away') };
  const { delays } = await watch([...Array.from({ length: 7 }, () => away), { revision: 'a' }]);
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000, 1_000]);
});

/** Runs a watch over a source with these successive revisions, until it waits for the next interval. */
async function watchChanging(revisions: readonly string[], load?: Error) {
  const events: string[] = [];
  const loaded: string[] = [];
  const delays: number[] = [];
  const abort = new AbortController();
  let look = 0;
  await watchLibrary(
    {
      revision: async () => revisions[Math.min(look++, revisions.length - 1)]!,
      load: async (_signal, revision) => {
        loaded.push(revision);
        if (load) throw load;
        return REPORT;
      },
    },
    {
      intervalMs: 60_000,
      stillMs: 10,
      signal: abort.signal,
      onEvent: ({ kind }) => events.push(kind),
      sleep: async (ms) => {
        delays.push(ms);
        if (ms === 60_000 && look >= revisions.length) abort.abort();
      },
      random: () => 0.5,
    },
  );
  return { events, loaded, delays };
}

test('a changing source is loaded once it is stable', async () => {
  const { events, loaded, delays } = await watchChanging(['a', 'ab', 'abc', 'abc']);
  expect({ events, loaded, delays }).toEqual({
    events: ['loaded'],
    loaded: ['abc'],
    delays: [10, 10, 10, 60_000],
  });
});

test('a loaded revision need not stabilize again', async () => {
  const { loaded, delays } = await watchChanging(['a', 'a', 'a']);
  expect({ loaded, delays }).toEqual({ loaded: ['a', 'a'], delays: [10, 60_000, 60_000] });
});

test('a source that never stabilizes is not loaded, and polled again after the interval', async () => {
  const { events, loaded, delays } = await watchChanging(Array.from({ length: 31 }, (_, n) => `${n}`));
  expect({ events, loaded }).toEqual({ events: ['changing'], loaded: [] });
  expect(delays.at(-1)).toBe(60_000);
});

test('a change between the last poll and the load is not a failure', async () => {
  const { events, delays } = await watchChanging(['a', 'a'], new SourceChangedError('changed'));
  expect({ events, delays }).toEqual({ events: ['changing'], delays: [10, 60_000] });
});

test('a source pinned to a revision is only read at that one', async () => {
  const source = fixedSource({ 'a.yaml': 'a: 1' }, 'first');
  const all = () => () => true;
  expect((await atRevision(source, 'first').read(all)).entries).toHaveLength(1);
  await expect(atRevision(source, 'second').read(all)).rejects.toThrow(SourceChangedError);
});
