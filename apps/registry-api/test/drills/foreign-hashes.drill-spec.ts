import { setTimeout as sleep } from 'node:timers/promises';
import { recordFigure } from '@svc/test-servers';
import type { RegistryProcess } from '../registry-process.js';
import { type Answer, pathOf, registration } from '../running-registry.js';
import {
  IMPORTED_SECRET,
  type ImportingRegistry,
  startImportingRegistry,
} from './support/importing-registry.js';

/** How long a flood lasts, in milliseconds. */
const FLOOD_MS = Number(process.env['DRILL_FLOOD_MS'] ?? 3_000);

/** Callers that check wrong secrets, each as soon as it has its answer. */
const CALLERS = 32;

/** Clients whose secret is hashed with bcrypt at cost 12: a quarter of a second of processor time for each check. */
const FLOODED = 16;

/** Made with libxcrypt (crypt of Python 3.11). */
const HASH = '$2b$12$abcdefghijklmnopqrstuuZoZMebQ5x5xOTWYkkWAqAZAIOH6WlLa';

let importing: ImportingRegistry;
let registry: RegistryProcess;
beforeAll(async () => {
  importing = await startImportingRegistry();
  registry = importing.process;
});
afterAll(async () => importing.stop());

const check = async (clientId: string, secret: string) =>
  registry.ask('POST', `${pathOf(clientId)}/check/secret`, { body: { client_secret: secret } });

/** Repeats a check until the flood is over. @returns the longest time that it took */
async function slowestUntil(end: number, once: () => Promise<Answer>): Promise<number> {
  let slowestMs = 0;
  while (performance.now() < end) {
    const start = performance.now();
    expect((await once()).status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - start);
    await sleep(20);
  }
  return slowestMs;
}

/** @returns how many of its checks were answered with each status */
async function flood(end: number): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const caller = async (_: unknown, index: number) => {
    for (let round = 0; performance.now() < end; round += 1) {
      const { status, headers } = await check(`flooded-${index % FLOODED}`, `wrong ${index} ${round}`);
      if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return answers;
}

test('a flood of checks of foreign hashes slows down neither other checks nor other requests', async () => {
  const ids = [...Array.from({ length: FLOODED }, (_, index) => `flooded-${index}`), 'waiting'];
  await importing.importHashed(ids, HASH);
  const keyed = (
    await registry.ask('POST', '/client', { body: registration({ preferred_client_id: 'keyed' }) })
  ).body;

  const others = async (end: number) =>
    Promise.all([
      slowestUntil(end, async () => check('keyed', String(keyed['client_secret']))),
      slowestUntil(end, async () => check('unknown', 'x'.repeat(43))),
      slowestUntil(end, async () => registry.ask('GET', '/client?limit=20')),
    ]);
  const calmMs = Math.max(...(await others(performance.now() + FLOOD_MS / 3)));
  const end = performance.now() + FLOOD_MS;
  const [answers, [keyedMs, unknownMs, listMs]] = await Promise.all([flood(end), others(end)]);
  recordFigure('checks of foreign hashes answered in a flood', String(answers.get(200)));
  recordFigure('checks of foreign hashes refused in a flood (503)', String(answers.get(503)));
  recordFigure('slowest check of a keyed secret meanwhile', `${Math.round(keyedMs)} ms`);
  recordFigure('slowest check of an unknown Client meanwhile', `${Math.round(unknownMs)} ms`);
  recordFigure('slowest of these before the flood', `${Math.round(calmMs)} ms`);
  recordFigure('slowest list meanwhile', `${Math.round(listMs)} ms`);
  expect([...answers.keys()].sort()).toEqual([200, 503]);
  // A busy machine is slow without a flood, too.
  const limitMs = Math.max(1_000, 3 * calmMs);
  for (const slowestMs of [keyedMs, unknownMs, listMs]) expect(slowestMs).toBeLessThan(limitMs);

  // After it, a Client that was not flooded gets its turn at the first attempt.
  expect((await check('waiting', IMPORTED_SECRET)).body).toMatchObject({ valid: true });
});
