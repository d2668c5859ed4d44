import { InvalidLibraryError } from './library-problem.js';
import type { LoadReport } from './load-report.js';
import { watchLibrary, type WatchEvent } from './watch-library.js';

const REPORT = { skipped: false, load: 1 } as LoadReport;

/** Runs a watch over these looks: a revision, and what loading it gives. */
async function watch(looks: readonly { revision: string | Error; load?: LoadReport | Error }[]) {
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

test('each look loads, and what is unchanged is told so', async () => {
  const { kinds, delays } = await watch([
    { revision: 'a' },
    { revision: 'a', load: { ...REPORT, skipped: true } },
  ]);
  expect(kinds).toEqual(['loaded', 'unchanged']);
  expect(delays).toEqual([1_000, 1_000]);
});

test('an invalid revision is tried once, the next one at once', async () => {
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

test('what cannot be reached is tried again ever more slowly, up to 32 times the interval, then at the usual pace', async () => {
  const away = { revision: new Error('away') };
  const { delays } = await watch([...Array.from({ length: 7 }, () => away), { revision: 'a' }]);
  expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000, 1_000]);
});
