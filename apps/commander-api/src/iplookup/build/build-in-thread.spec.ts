import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildInThread, type ThreadBuildRequest, THREAD_LIMITS } from './build-in-thread.js';

const folder = mkdtempSync(join(tmpdir(), 'svccmd-thread-'));
afterAll(() => rmSync(folder, { recursive: true }));

const request: ThreadBuildRequest = { kind: 'csv', input: 'x.csv', folder, buildEpoch: 1 };
const never = new AbortController().signal;

/** A thread's program. */
const program = (...lines: string[]) =>
  new URL(`data:text/javascript,${encodeURIComponent(lines.join('\n'))}`);

/** Leaves a file that is not complete, and hears nothing. */
const STUCK = program(
  `import { writeFileSync } from 'node:fs';`,
  `import { hostname } from 'node:os';`,
  `import { workerData } from 'node:worker_threads';`,
  `const run = [hostname(), process.pid, workerData.writer].join('~');`,
  `writeFileSync(workerData.folder + '/.x.mmdb.' + run + '.partial', 'begun');`,
  `for (;;);`,
);

test('an unresponsive build is terminated at its deadline, and leaves nothing behind', async () => {
  const limits = { ...THREAD_LIMITS, deadlineMs: 700, graceMs: 50 };
  const detail = 'The build took longer than 0.7 seconds and was stopped: build the lookup with svccmd.';
  expect(await buildInThread(request, never, limits, STUCK)).toMatchObject({
    error: { answer: { status: 503 }, detail },
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('an unresponsive build is terminated when stopped, and leaves nothing behind', async () => {
  const caller = new AbortController();
  const outcome = buildInThread(request, caller.signal, { ...THREAD_LIMITS, graceMs: 50 }, STUCK);
  while (readdirSync(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  caller.abort();
  expect(await outcome).toMatchObject({ error: { answer: { status: 503 } } });
  expect(readdirSync(folder)).toEqual([]);
});

test('a build whose caller disconnected while it was queued does not begin', async () => {
  expect(await buildInThread(request, AbortSignal.abort(), THREAD_LIMITS, STUCK)).toMatchObject({
    error: { answer: { status: 503 } },
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a build that exceeds its memory limit ends without affecting others', async () => {
  const greedy = program('const kept = [];', 'for (;;) kept.push(new Array(1e5).fill({}).map(String));');
  expect(await buildInThread(request, never, { ...THREAD_LIMITS, heapMb: 32 }, greedy)).toMatchObject({
    error: { answer: { status: 413 } },
  });
});

test('a build that was complete when it was to stop counts as built', async () => {
  const summary = { lookup: 'x' };
  const ready = program(
    `import { parentPort } from 'node:worker_threads';`,
    `parentPort.once('message', () => { parentPort.postMessage(${JSON.stringify({ summary })}); parentPort.close(); });`,
  );
  const limits = { ...THREAD_LIMITS, deadlineMs: 300 };
  expect(await buildInThread(request, never, limits, ready)).toEqual({ summary });
});
