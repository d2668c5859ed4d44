import { setTimeout as sleep } from 'node:timers/promises';
import { recordFigure, startZookeeperEnsemble, type ZookeeperEnsemble } from '@svc/test-servers';
import { ZookeeperLibraryStore } from '../src/index.js';
import { loadFiles } from './support/load-files.js';

/** Loads with a frozen server, for each case. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);
/** More than a load with a freezing server takes on a busy machine. */
const ROUND_MS = 90_000;

/** How many of the ensemble's three addresses the client knows; its timeout. */
const CASES: readonly [addresses: number, timeoutSeconds: number][] = [
  [2, 30],
  [2, 10],
  [3, 30],
  [3, 10],
];

/** Several batches, so that a load can be interrupted between them. */
const FILES = new Map(
  Array.from({ length: 600 }, (_, index) => [`${index}.txt`, `${index} ${'x'.repeat(3_000)}`]),
);

let ensemble: ZookeeperEnsemble;
let counter = 0;

beforeAll(async () => {
  ensemble = await startZookeeperEnsemble();
}, 180_000);

afterAll(async () => ensemble.stop());

/** A first load as done by the command, including connecting and closing. */
async function load(addresses: number, timeoutSeconds: number, path: string): Promise<unknown> {
  const store = await ZookeeperLibraryStore.open({
    addresses: ensemble.addresses.split(',').slice(0, addresses).join(','),
    path,
    timeoutMs: timeoutSeconds * 1_000,
  });
  try {
    return await loadFiles(store, FILES);
  } finally {
    await store.close();
  }
}

/** @returns the load's result and duration; undefined if it finished before the server froze */
async function loadWhileFreezing(
  addresses: number,
  timeoutSeconds: number,
  atMs: number,
): Promise<{ outcome: unknown; seconds: number } | undefined> {
  const path = `/frozen-${(counter += 1)}`;
  await ensemble.whole();
  const began = performance.now();
  let isRunning = true;
  const loading = load(addresses, timeoutSeconds, path)
    .catch((error: unknown) => error)
    .finally(() => (isRunning = false));
  await sleep(atMs);
  const { thaw } = await ensemble.freezeServerInUse();
  const wasRunning = isRunning;
  const outcome = await loading;
  const seconds = (performance.now() - began) / 1_000;
  thaw();
  return wasRunning ? { outcome, seconds } : undefined;
}

test.each(process.env['DRILL_ROUNDS'] === undefined ? CASES.slice(0, 1) : CASES)(
  'a load whose server freezes at a random moment finishes on another: %i addresses, timeout %i s',
  async (addresses, timeoutSeconds) => {
    await load(addresses, timeoutSeconds, `/warm-${(counter += 1)}`);
    const began = performance.now();
    await load(addresses, timeoutSeconds, `/whole-${(counter += 1)}`);
    const wholeMs = performance.now() - began;
    const outcomes: unknown[] = [];
    let slowest = 0;
    while (outcomes.length < ROUNDS) {
      const round = await loadWhileFreezing(addresses, timeoutSeconds, Math.random() * wholeMs);
      if (!round) continue;
      outcomes.push(round.outcome);
      slowest = Math.max(slowest, round.seconds);
    }
    const isWhole = (outcome: unknown) => (outcome as { version?: string }).version === '2';
    const failed = outcomes.filter((outcome) => !isWhole(outcome)).map(String);
    recordFigure(
      `our server of ${addresses} frozen amid a load, time-out ${timeoutSeconds} s: finished by itself, of ${ROUNDS}`,
      `${ROUNDS - failed.length}, after ${slowest.toFixed(1)} s at most`,
    );
    expect(failed).toEqual([]);
  },
  60_000 + ROUNDS * ROUND_MS,
);
