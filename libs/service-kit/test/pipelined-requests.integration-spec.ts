import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { heldRequests, startSample } from './sample-service.js';

const LIMIT = 8;

let service: Awaited<ReturnType<typeof startSample>>;
beforeEach(async () => {
  service = await startSample({ maxInFlight: LIMIT });
});
afterEach(async () => {
  heldRequests.release();
  await service.close();
});

/** Sends requests in one segment, the first for `held`, and resets the connection while that one is held. */
async function resetWhileHeld(followers: readonly string[]): Promise<void> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = (path: string) => `GET /sample/${path} HTTP/1.1\r\nHost: sample\r\n\r\n`;
  socket.write(['held', ...followers].map(head).join(''));
  await heldRequests.arrived(1);
  // Until the others have been read, too.
  await sleep(50);
  socket.resetAndDestroy();
}

async function inFlight(): Promise<number> {
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: 'Bearer reader' } });
  expect(answer.status).toBe(200);
  const [, count] = /^http_requests_in_flight\{.*\} (\d+)$/m.exec(await answer.text())!;
  // Without this request itself.
  return Number(count) - 1;
}

/** The service learns of a reset in a later turn of its event loop. */
async function expectAllPlacesFree(): Promise<void> {
  const deadline = performance.now() + 2_000;
  while ((await inFlight()) > 0 && performance.now() < deadline) await sleep(20);
  expect(await inFlight()).toBe(0);
}

test.each([
  ['are answered at once', 'open'],
  ['wait as well', 'held'],
  ['have a long answer', 'large'],
  ['have a streamed answer', 'silent'],
])('a reset connection leaves no request in flight if those behind the first %s', async (_case, path) => {
  await resetWhileHeld(Array.from({ length: 4 }, () => path));
  await expectAllPlacesFree();
  heldRequests.release();
  await expectAllPlacesFree();
});

test('as many reset requests as there are places do not lock others out', async () => {
  for (let round = 0; round < 3; round++) {
    await resetWhileHeld(Array.from({ length: LIMIT - 2 }, () => 'open'));
    heldRequests.release();
  }
  await expectAllPlacesFree();
  expect((await fetch(`${service.url}/sample/open`)).status).toBe(200);
});

test('pipelined requests are answered in order', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(
    ['held', 'echo/1', 'echo/2']
      .map((path) => `GET /sample/${path} HTTP/1.1\r\nHost: sample\r\n\r\n`)
      .join(''),
  );
  await heldRequests.arrived(1);
  heldRequests.release();
  while (!answer.includes('"2"')) await once(socket, 'data');
  expect(answer.match(/\{.*?\}/g)).toEqual(['{"held":true}', '{"id":"1"}', '{"id":"2"}']);
  socket.destroy();
  await expectAllPlacesFree();
});
