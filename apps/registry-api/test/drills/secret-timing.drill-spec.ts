import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { jest } from '@jest/globals';
import { recordFigure } from '@svc/test-servers';
import type { RegistryProcess } from '../registry-process.js';
import { pathOf, registration } from '../running-registry.js';
import {
  IMPORTED_SECRET,
  type ImportingRegistry,
  startImportingRegistry,
} from './support/importing-registry.js';
import { median, shareSlower } from './support/overlap.js';

jest.setTimeout(15 * 60_000);

/** Requests of each kind. */
const REQUESTS = Number(process.env['DRILL_REQUESTS'] ?? 1_500);

/** Requests that only warm up the process. */
const WARM_UP = 500;

/**
 * How far from one half the share of pairs may be. By chance alone it differs by 0.011 (one standard deviation) with 1,500
 * requests of each kind.
 */
const LIMIT = 0.06;

/** Made with libxcrypt (crypt of Python 3.11). */
const HASH = '$2b$04$abcdefghijklmnopqrstuunP647anY6lkP4mZ7Gh/U3rYsT0KNmjq';

let importing: ImportingRegistry;
let registry: RegistryProcess;
let token: string;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  importing = await startImportingRegistry({ RATE_LIMIT_PER_TOKEN: 'off' });
  registry = importing.process;
  token = await registry.token();
  await importing.importHashed(['imported', 'replaced'], HASH);
  for (const id of ['keyed-01', 'disabled']) {
    const body = registration({ preferred_client_id: id });
    expect((await registry.ask('POST', '/client', { body })).status).toBe(201);
  }
  await registry.ask('POST', '/client/disabled/disable');
  expect((await check('replaced', IMPORTED_SECRET)).body).toEqual({
    valid: true,
    client_secret_expires_at: 0,
  });
});
afterAll(async () => {
  agent.destroy();
  await importing.stop();
});

/** One after the other, on one connection. @returns the time until the whole response was read */
async function check(
  clientId: string,
  secret: string,
): Promise<{ readonly ms: number; readonly body: unknown }> {
  const body = JSON.stringify({ client_secret: secret });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const start = performance.now();
  const sent = request(`${registry.url}${pathOf(clientId)}/check/secret`, { method: 'POST', agent, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { ms: performance.now() - start, body: JSON.parse(text) as unknown };
}

/** Checks wrong secrets, in random order, so that whatever slows the machine down slows down each kind. */
async function measure(clientIds: readonly string[], requests: number): Promise<Map<string, number[]>> {
  const times = new Map(clientIds.map((id): [string, number[]] => [id, []]));
  const order = clientIds.flatMap((id) => Array.from({ length: requests }, () => id));
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  for (const id of order) {
    const { ms, body } = await check(id, randomBytes(32).toString('base64url'));
    expect(body).toEqual({ valid: false });
    times.get(id)!.push(ms);
  }
  return times;
}

test('the time of a check does not tell unknown Clients, wrong secrets and disabled Clients apart', async () => {
  const known = ['keyed-01', 'disabled', 'replaced', 'imported'];
  const ids = ['unknown1', ...known];
  await measure(ids, WARM_UP / ids.length);
  const times = await measure(ids, REQUESTS);
  const unknown = times.get('unknown1')!;
  const shareOf = (id: string) => shareSlower(times.get(id)!, unknown);
  const [keyed, disabled, replaced, imported] = known.map(shareOf);
  recordFigure('check of an unknown Client, median', `${median(unknown).toFixed(3)} ms`);
  recordFigure('wrong secret, median', `${median(times.get('keyed-01')!).toFixed(3)} ms`);
  recordFigure('share of wrong secrets slower than unknown Clients', keyed!.toFixed(3));
  recordFigure('the same of disabled Clients', disabled!.toFixed(3));
  recordFigure('the same of a Client whose imported hash was replaced', replaced!.toFixed(3));
  recordFigure('the same of a Client with an imported hash, which is told apart', imported!.toFixed(3));
  for (const share of [keyed, disabled, replaced]) expect(Math.abs(share! - 0.5)).toBeLessThan(LIMIT);
  // Whether the measurement would notice: an imported hash takes longer, as documented.
  expect(imported).toBeGreaterThan(0.9);
});
