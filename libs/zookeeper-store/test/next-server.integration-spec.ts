import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { closeAll, connect } from './support/clients.js';
import {
  PING,
  type ScriptedOptions,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from './support/scripted-server.js';
import { ints, text } from './support/wire-fields.js';

/** Indices of the servers in connection order. */
let connected: number[] = [];
let servers: ScriptedServer[] = [];

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map(async (server) => server.stop()));
  connected = [];
});

/**
 * Starts servers that share a script; which one is tried first is random.
 *
 * @param onRequest `turn` is 1 for the first connection to any of them
 */
async function startServers(
  count: number,
  onRequest: (request: ScriptedRequest, turn: number) => void,
  {
    sessionMs = 10_000,
    greets = () => true,
  }: { sessionMs?: number; greets?: (turn: number) => boolean } = {},
): Promise<string> {
  const turns = new Map<string, number>();
  servers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const options: ScriptedOptions = {
        sessionMs,
        greets: () => {
          connected.push(index);
          turns.set(`${index} ${connected.filter((one) => one === index).length}`, connected.length);
          return greets(connected.length);
        },
      };
      return startScriptedServer(
        (request) => onRequest(request, turns.get(`${index} ${request.connection}`)!),
        options,
      );
    }),
  );
  return servers.map(({ address }) => address).join(',');
}

const answer = (request: ScriptedRequest): void => request.reply(0, ints(1), text('child'));

test('after a lost connection the next server is tried, not the same one', async () => {
  const addresses = await startServers(3, (request, turn) => (turn < 4 ? request.hangUp() : answer(request)));
  const client = await connect(addresses);
  expect(await client.getChildren('/')).toEqual(['child']);
  expect(new Set(connected.slice(0, 3)).size).toBe(3);
  expect(connected[3]).toBe(connected[0]);
});

test('a server without a handshake is abandoned in time for the next one to keep the session', async () => {
  const greetedAt: number[] = [];
  const addresses = await startServers(3, (request, turn) => turn > 2 && answer(request), {
    sessionMs: 6_000,
    greets: (turn) => {
      greetedAt.push(performance.now());
      return turn !== 2;
    },
  });
  const client = await connect(addresses, { timeoutMs: 30_000 });
  expect(await client.getChildren('/')).toEqual(['child']);
  expect(new Set(connected).size).toBe(3);
  // 4 s of silence and 1 s without a handshake; a quarter of the timeout would make it 11.5 s.
  expect(greetedAt[2]! - greetedAt[0]!).toBeLessThan(8_000);
});

test('with a session longer than the timeout, a silent server is abandoned before the operation times out', async () => {
  const addresses = await startServers(
    2,
    (request, turn) => {
      if (request.code === PING && request.connection === 1 && connected.length === 1) request.reply(0);
      else if (turn > 1) answer(request);
    },
    { sessionMs: 60_000 },
  );
  const client = await connect(addresses, { timeoutMs: 4_500 });
  // Longer than the allowed silence; pings keep the connection alive.
  await sleep(4_000);
  expect(connected).toHaveLength(1);
  expect(await client.getChildren('/')).toEqual(['child']);
  expect(new Set(connected).size).toBe(2);
});

test('a server that answers only pings is abandoned for another, once', async () => {
  const addresses = await startServers(2, (request, turn) => {
    if (request.code === PING) request.reply(0);
    else if (turn > 1) answer(request);
  });
  // A third of it is left for the other one, which is enough on a busy machine.
  const client = await connect(addresses, { timeoutMs: 3_000 });
  expect(await client.getChildren('/')).toEqual(['child']);
});

describe('when the system’s clock is set', () => {
  /** Several checks of the connection. */
  const CHECKS_MS = 500;

  const setClock = async (hours: number): Promise<void> => {
    await sleep(CHECKS_MS);
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
  };

  test('forward, a server that answers is kept', async () => {
    const client = await connect(await startServers(2, answer));
    await setClock(1);
    await sleep(CHECKS_MS);
    expect(await client.getChildren('/')).toEqual(['child']);
    expect(connected).toHaveLength(1);
  });

  test('back, a silent server is still abandoned for the next one', async () => {
    const script = (request: ScriptedRequest, turn: number): unknown => turn > 1 && answer(request);
    const client = await connect(await startServers(2, script, { sessionMs: 3_000 }), { timeoutMs: 20_000 });
    await setClock(-1);
    const begin = performance.now();
    expect(await client.getChildren('/')).toEqual(['child']);
    // Silence is allowed for 2 s; the request itself would time out after 20 s.
    expect(performance.now() - begin).toBeLessThan(12_000);
  });
});

test('with a single server, an unanswered read fails by its deadline', async () => {
  const addresses = await startServers(1, (request) => request.code === PING && request.reply(0));
  const client = await connect(addresses, { timeoutMs: 1_000 });
  await expect(client.getChildren('/')).rejects.toThrow(/^getChildren \/: OPERATION_TIMEOUT$/);
  expect(connected).toHaveLength(1);
});
