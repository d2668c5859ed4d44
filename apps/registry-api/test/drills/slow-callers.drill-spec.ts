import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { pathOf, registration } from '../running-registry.js';
import { storeClients } from './support/store-clients.js';
import { allEnded, SlowCaller } from './support/slow-caller.js';

jest.setTimeout(300_000);

/** Callers of each kind; more than the requests that may be under way. */
const CALLERS = Number(process.env['DRILL_CALLERS'] ?? 150);

/** Callers that begin at the same moment. */
const AT_ONCE = 25;

/** Exports that one token may have under way. */
const EXPORTS = 5;

/** Streams that are opened and not read. */
const READERS = 20;

/**
 * The registry's heap here, in MB. Without a bound it keeps as garbage what the system took of each answer, and what it
 * holds cannot be told from that; with one, it dies when it holds more.
 */
const HEAP_MB = 160;

/** Whether to wait until callers who do not read are given up, which takes a minute and a half. */
const WAITS = process.env['DRILL_STALLED'] !== undefined;

/** Enough for an export that no socket holds. */
const CLIENTS = 60_000;

/** What a busy machine may add, in milliseconds. */
const BUSY_MS = 3_000;

/** How long a header may take, and the server until it looks again, in milliseconds. */
const HEADER_MS = 15_000 + 5_000 + BUSY_MS;

/** How long the body of some bytes may take, in milliseconds. */
const BODY_MS = 15_000 + BUSY_MS;

/** How long a reader may take nothing, and the server until it has filled what the system keeps for one, in milliseconds. */
const STALLED_MS = 30_000 + 60_000;

let server: PostgresServer;
let dataDir: string;
let head: string;
let registry: RegistryProcess;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  const token = randomBytes(32).toString('hex');
  head = `HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n`;
  const databaseUrl = await server.createDatabase();
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: token,
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  };
  registry = await RegistryProcess.start(environment);
  await storeClients(databaseUrl, CLIENTS);
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

let callers: SlowCaller[];
beforeEach(() => {
  callers = [];
});
afterEach(() => {
  for (const caller of callers) caller.close();
});

/** Some at a time: 150 at once would be more than 100 requests under way, whoever sends them. */
async function open(count: number, make: () => Promise<SlowCaller>): Promise<SlowCaller[]> {
  const opened: SlowCaller[] = [];
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - opened.length) }, make);
    opened.push(...(await Promise.all(some)));
  }
  callers.push(...opened);
  return opened;
}

/** Lets another caller read one Client again and again meanwhile, which must always be answered. */
async function withAnother<T>(work: () => Promise<T>): Promise<T> {
  const { body } = await registry.ask('POST', '/client', { body: registration() });
  const tookMs: number[] = [];
  let isWanted = true;
  const asking = (async () => {
    for (; isWanted; await sleep(20)) {
      const began = performance.now();
      const answer = await registry.ask('GET', pathOf(body['client_id']));
      expect([answer.status, answer.body['detail']]).toEqual([200, undefined]);
      tookMs.push(performance.now() - began);
    }
  })();
  try {
    return await work();
  } finally {
    isWanted = false;
    await asking;
    tookMs.sort((a, b) => a - b);
    const p99 = tookMs[Math.floor(tookMs.length * 0.99)] ?? 0;
    recordFigure('requests of another caller meanwhile, refused', `${tookMs.length}, 0`);
    recordFigure('their p99, slowest', `${Math.round(p99)} ms, ${Math.round(tookMs.at(-1) ?? 0)} ms`);
  }
}

/** @returns after how long the server had ended all of them, in milliseconds */
async function endOf(slow: readonly SlowCaller[], began: number): Promise<number> {
  await allEnded(registry.url, slow);
  return performance.now() - began;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const statusesOf = (slow: readonly SlowCaller[]) => {
  const counts = new Map<number, number>();
  for (const { status } of slow) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
};

test(`${CALLERS} who send their headers slowly and ${CALLERS} who send their bodies slowly are given up in time, and keep nobody else waiting`, async () => {
  const half = `POST /client ${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  await withAnother(async () => {
    const timed = async (text: string) => {
      const slow = await open(CALLERS, async () => SlowCaller.sending(registry.url, text));
      return { slow, ms: await endOf(slow, performance.now()) };
    };
    const [{ slow: headers, ms: headerMs }, { slow: bodies, ms: bodyMs }] = await Promise.all([
      timed(`GET /client ${head}X-Slow: `),
      timed(half),
    ]);
    const ended = (ms: number, slow: readonly SlowCaller[]) => `${seconds(ms)} (${statusesOf(slow)})`;
    recordFigure(`${CALLERS} who send a header byte by byte: ended after`, ended(headerMs, headers));
    recordFigure(`${CALLERS} who send a body byte by byte: ended after`, ended(bodyMs, bodies));
    expect(new Set(headers.map(({ status }) => status))).toEqual(new Set([408]));
    expect(bodies.filter(({ status }) => ![408, 503].includes(status))).toEqual([]);
    expect(headerMs).toBeLessThan(HEADER_MS);
    expect(bodyMs).toBeLessThan(BODY_MS);
  });
});

test(`${CALLERS} who ask for an export and do not read it, and ${READERS} such readers of changes, keep nobody else waiting`, async () => {
  const before = await registry.memory();
  const notReading = async (path: string, accept = '') =>
    SlowCaller.notReading(registry.url, `GET ${path} ${head}${accept}\r\n`);
  await withAnother(async () => {
    const began = performance.now();
    const [exports, streams] = await Promise.all([
      open(CALLERS, async () => notReading('/clients/export')),
      open(READERS, async () => notReading('/clients/changes?since=0', 'Accept: text/event-stream\r\n')),
    ]);
    const taken = exports.filter(({ status }) => status === 200);
    expect([taken.length, statusesOf(streams)]).toEqual([EXPORTS, `${READERS} × 200`]);
    await sleep(3_000);
    const grownMB = ((await registry.memory()) - before) / 1e6;
    recordFigure(`${CALLERS} who ask for an export and do not read it`, statusesOf(exports));
    recordFigure(`memory for these and ${READERS} who do not read a stream`, `${Math.round(grownMB)} MB`);
    expect(grownMB).toBeLessThan(300);
    if (!WAITS) return;
    const stalledMs = await endOf([...taken, ...streams], began);
    recordFigure('exports and streams that are not read: ended after', seconds(stalledMs));
    expect(stalledMs).toBeLessThan(STALLED_MS);
  });
});
