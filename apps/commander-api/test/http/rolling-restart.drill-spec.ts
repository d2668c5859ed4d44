import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordFigure, restartInTurn } from '@svc/test-servers';
import { startServer } from './running-server.js';

/** How often one of the two processes is restarted. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drill-'));
  await writeFile(join(folder, 'key'), randomBytes(32).toString('hex'), { mode: 0o600 });
  await writeFile(join(folder, 'svccmd.conf'), '[pwdencryptor]\nkey=key\n');
});
afterAll(async () => rm(folder, { recursive: true }));

test(
  'SIGTERM of one of two servers under load drops no request',
  async () => {
    const token = randomBytes(32).toString('hex');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    const { answered, failed } = await restartInTurn(
      { method: 'POST', path: '/encpwd', headers, body: 'correct horse', status: 200 },
      {
        start: async () => startServer(folder, { SVCCMD_HTTP_TOKEN: token }),
        end: async (replica) => expect(await replica.stop()).toBe(0),
        rounds: ROUNDS,
      },
    );
    recordFigure('commander: SIGTERM of one of two servers', `${ROUNDS} times`);
    recordFigure('commander: passwords encrypted, requests dropped', `${answered}, ${failed.length}`);
    expect(failed).toEqual([]);
  },
  120_000 + ROUNDS * 30_000,
);
