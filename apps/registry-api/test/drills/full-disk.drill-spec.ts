import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import {
  mayMount,
  mountSmallDisk,
  type PostgresServer,
  recordFigure,
  type SmallDisk,
  startPostgres,
} from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { Callers } from './support/callers.js';
import { storedClientIds } from './support/stored-client-ids.js';

jest.setTimeout(300_000);

/** How often the disk is full. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** How long it stays full once that has been noticed, in milliseconds. */
const FULL_MS = 1_000;

const CALLERS = 16;

/** A cluster without data, and what it writes ahead. */
const DATABASE_MB = 200;

/** What undoes the preparations, the last one first. */
const undo: (() => unknown)[] = [];

let root: string;
let database: SmallDisk;
let server: PostgresServer;
let databaseUrl: string;
let registry: RegistryProcess;

(mayMount() ? describe : describe.skip)('a full disk (skipped where no file system may be mounted)', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'drill-'));
    // PostgreSQL may run as another user.
    await chmod(root, 0o755);
    undo.push(async () => rm(root, { recursive: true }));
    database = mountSmallDisk(join(root, 'database'), DATABASE_MB);
    undo.push(() => database.unmount());
    const settings = { min_wal_size: '32MB', max_wal_size: '32MB' };
    server = await startPostgres({ below: database.folder, settings });
    undo.push(async () => server.stop());
    databaseUrl = await server.createDatabase();
    registry = await RegistryProcess.start({
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(root, 'data'),
      BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
    });
    undo.push(async () => expect(await registry.end('SIGTERM')).toBe(0));
  });
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  });

  test("PostgreSQL's disk is full under load: 503, nothing acknowledged is lost, and with room everything resumes by itself", async () => {
    const callers = new Callers(registry, CALLERS);
    const recoveryMs: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        await callers.answered(201, 50);
        database.fill();
        await callers.answered(503, 50);
        await callers.answered(200, 50);
        await sleep(FULL_MS);
        database.makeRoom();
        const began = performance.now();
        await callers.answered(201, 1);
        recoveryMs.push(performance.now() - began);
      }
    } finally {
      await callers.stop();
    }
    recordFigure(`PostgreSQL's disk full ${ROUNDS} times: answers`, callers.summary());
    recordFigure('registrations acknowledged, lost', `${callers.acknowledged.length}, 0`);
    recordFigure(
      'next registration after there was room, at most',
      `${Math.round(Math.max(...recoveryMs))} ms`,
    );
    const kept = await storedClientIds(databaseUrl);
    expect(callers.acknowledged.filter((clientId) => !kept.has(clientId))).toEqual([]);
    expect(callers.unexpected).toEqual([]);
  });

  test('the disk that buffers a body is full: 503, nothing is imported; with room it succeeds', async () => {
    const temporary = mountSmallDisk(join(root, 'temporary'), 4);
    undo.push(() => temporary.unmount());
    const importer = await RegistryProcess.start({
      DATABASE_URL: await server.createDatabase(),
      DATA_DIR: join(root, 'importer'),
      BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
      TMPDIR: temporary.folder,
    });
    undo.push(async () => expect(await importer.end('SIGTERM')).toBe(0));
    const body = Array.from({ length: 2_000 }, (_, index) =>
      JSON.stringify({
        client_id: `import-${index}`,
        client_name: `${'Shop'.repeat(50)} ${index}`,
        redirect_uris: ['https://shop.example/cb'],
      }),
    ).join('\n');
    const send = async () =>
      importer.ask('POST', '/clients/import', { body, headers: { 'content-type': 'application/x-ndjson' } });
    temporary.fill();
    const { status, headers } = await send();
    expect([status, headers.get('retry-after')]).toEqual([503, '60']);
    expect((await importer.ask('GET', '/client/import-0')).status).toBe(404);
    temporary.makeRoom();
    const again = await send();
    expect([again.status, again.body['registered']]).toEqual([200, 2_000]);
  });
});
