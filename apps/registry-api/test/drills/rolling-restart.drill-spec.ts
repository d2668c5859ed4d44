import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, recordFigure, restartInTurn, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { registration } from '../running-registry.js';
import { storedClientIds } from './support/stored-client-ids.js';

/** How often one of the two processes is restarted. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

let server: PostgresServer;
let dataDir: string;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
});

test(
  'SIGTERM of one of two processes under load drops no registration',
  async () => {
    const token = randomBytes(32).toString('hex');
    const databaseUrl = await server.createDatabase();
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, BOOTSTRAP_TOKEN: token };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify(registration());
    const { answered, failed } = await restartInTurn(
      { method: 'POST', path: '/client', headers, body, status: 201 },
      {
        start: async () => RegistryProcess.start(environment),
        end: async (replica) => expect(await replica.end('SIGTERM')).toBe(0),
        rounds: ROUNDS,
      },
    );
    recordFigure('registry: SIGTERM of one of two processes', `${ROUNDS} times`);
    recordFigure('registry: registrations answered, dropped', `${answered}, ${failed.length}`);
    expect(failed).toEqual([]);
    expect((await storedClientIds(databaseUrl)).size).toBe(answered);
  },
  120_000 + ROUNDS * 30_000,
);
