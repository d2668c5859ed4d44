// Half an hour of mixed load on one registry with a real PostgreSQL: no error, and no growth of memory, connections and
// open files.
//   SOAK_MINUTES  how long, 30 by default
//   SOAK_RATE     operations per second, 100 by default
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '@svc/test-servers';
import { startService } from './parts/service-process.mjs';
import { Operations } from './soak/operations.mjs';
import { RegistryCaller } from './soak/registry-caller.mjs';
import { Samples } from './soak/samples.mjs';
import { Streams } from './soak/streams.mjs';
import { trendOf } from './parts/trend.mjs';

const WORKERS = 8;
const POOL = 16;
const MAX_STREAMS = 20;
const SAMPLE_MS = 10_000;
const STREAM_MS = 3_000;
const MOVE_MS = 30_000;

/** Maximum growth of resident memory and heap by the trend of the last two thirds, relative to the mean. */
const MAX_GROWTH = 0.1;

/** Allows for keep-alive connections and streams. */
const MAX_FILES_GROWTH = 30;

export async function run({ quick, log }) {
  const minutes = Number(process.env.SOAK_MINUTES ?? (quick ? 1.5 : 30));
  const rate = Number(process.env.SOAK_RATE ?? 100);
  const folder = await mkdtemp(join(tmpdir(), 'soak-'));
  const postgres = await startPostgres();
  let service;
  try {
    const databaseUrl = await postgres.createDatabase();
    service = await startService('registry-api', { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0' });
    const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    const caller = new RegistryCaller(service.url, token);
    const streams = new Streams(caller);
    const samples = new Samples({ service, caller, streams, databaseUrl });
    await samples.open();
    try {
      const sampleMs = Math.min(SAMPLE_MS, (minutes * 60_000) / 30);
      await soak({ caller, streams, samples, rate, sampleMs, seconds: minutes * 60, log });
    } finally {
      await samples.close();
    }
    return { figures: check({ service, caller, streams, samples, minutes }) };
  } finally {
    await service?.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function soak({ caller, streams, samples, rate, sampleMs, seconds, log }) {
  const operations = new Operations(caller);
  await operations.begin();
  const started = performance.now();
  const secondsGone = () => (performance.now() - started) / 1000;
  const isOver = () => secondsGone() >= seconds;
  const every = async (pauseMs, act) => {
    while (!isOver()) {
      await act();
      await sleep(Math.max(0, Math.min(pauseMs, seconds * 1000 - (performance.now() - started))));
    }
  };
  let done = 0;
  const work = async () => {
    while (!isOver()) {
      // Waits if ahead of schedule, and catches up if behind.
      const early = done / rate - secondsGone();
      done += 1;
      if (early > 0) await sleep(early * 1000);
      await operations.next(Math.random());
    }
  };
  await Promise.all([
    ...Array.from({ length: WORKERS }, work),
    every(STREAM_MS, () => streams.turn(MAX_STREAMS)),
    every(MOVE_MS, () => operations.moveAll()),
    every(sampleMs, async () => log(lineOf(await samples.take(secondsGone())))),
  ]);
  streams.closeAll();
  await operations.end();
}

function lineOf({ at, requests, residentMb, heapMb, lagMs, p99Ms, connections, files, streams }) {
  const rounded = (value) => Math.round(value * 10) / 10;
  return (
    `${at} s: ${requests} requests, ${rounded(residentMb)} MB resident, ${rounded(heapMb)} MB heap, ` +
    `lag p99 ${rounded(lagMs)} ms, answers p99 ${rounded(p99Ms)} ms, ${connections} connections, ${files} files, ${streams} streams`
  );
}

/** @throws {Error} listing all failed checks */
function check({ service, caller, streams, samples, minutes }) {
  const resident = trendOf(samples.pointsOf('residentMb'));
  const heap = trendOf(samples.pointsOf('heapMb'));
  const files = trendOf(samples.pointsOf('files'));
  const most = (key) => Math.max(...samples.rows.map((row) => row[key]));
  const grows = ({ mean, growth }) => growth > mean * MAX_GROWTH;
  const wrong = [
    ...(caller.failures > 0 ? [`${caller.failures} wrong responses:\n${caller.reported.join('\n')}`] : []),
    ...(caller.busy > 0 ? [`${caller.busy} requests were postponed with 503`] : []),
    ...service.log.errors.map((line) => `an error in the log: ${line}`),
    ...service.log.leaks.map((line) => `a secret is in the log: ${line}`),
    ...(grows(resident) ? [`resident memory grew by ${toMb(resident.growth)}`] : []),
    ...(grows(heap) ? [`the heap grew by ${toMb(heap.growth)}`] : []),
    ...(files.growth > MAX_FILES_GROWTH ? [`${Math.round(files.growth)} more files are open`] : []),
    // One more connection listens for changes.
    ...(most('connections') > POOL + 1
      ? [`${most('connections')} connections to the database were open`]
      : []),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return [
    { what: 'minutes', value: minutes },
    { what: 'requests, none failed or postponed', value: caller.requests },
    { what: 'streams opened', value: streams.opened },
    { what: 'changes delivered by streams, in order', value: streams.events },
    {
      what: 'resident memory: mean, and growth by its trend',
      value: `${toMb(resident.mean)}, ${toMb(resident.growth)}`,
    },
    { what: 'heap: mean, and growth by its trend', value: `${toMb(heap.mean)}, ${toMb(heap.growth)}` },
    { what: 'most connections to the database', value: most('connections') },
    { what: 'worst p99 of event loop lag', value: `${Math.round(most('lagMs'))} ms` },
    {
      what: 'open files: mean, and growth by the trend',
      value: `${Math.round(files.mean)}, ${Math.round(files.growth)}`,
    },
  ];
}

function toMb(value) {
  return `${Math.round(value * 10) / 10} MB`;
}
