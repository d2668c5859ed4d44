import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { heldRequests, startSample } from './sample-service.js';

test('close lets a request under way finish', async () => {
  const closing = await startSample();
  const underWay = fetch(`${closing.url}/sample/held`);
  await heldRequests.arrived(1);
  const closed = closing.close();
  heldRequests.release();
  expect(await (await underWay).json()).toEqual({ held: true });
  await closed;
  await expect(fetch(`${closing.url}/sample/open`)).rejects.toThrow();
});

test('a request that takes longer than the shutdown may is aborted, and the service closes', async () => {
  const closing = await startSample({ abortMs: 100 });
  const aborted = expect(fetch(`${closing.url}/sample/held`)).rejects.toThrow();
  await heldRequests.arrived(1);
  await closing.close();
  await aborted;
  heldRequests.release();
});

test('a request on a connection that was idle when close was called is answered, and the caller asked to leave', async () => {
  const closing = await startSample({ drainMs: 500 });
  const { port } = new URL(closing.url);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await once(socket, 'connect');
  const ended = once(socket, 'end');
  const closed = closing.close();
  expect((await fetch(`${closing.url}/health/ready`)).status).toBe(503);
  socket.write('GET /sample/open HTTP/1.1\r\nHost: sample\r\n\r\n');
  await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i);
  await closed;
});

test('connections that were opened in advance and have sent nothing do not delay it', async () => {
  const closing = await startSample();
  const socket = connect(Number(new URL(closing.url).port), '127.0.0.1');
  await once(socket, 'connect');
  await fetch(`${closing.url}/sample/open`);
  const ended = once(socket, 'close');
  const startedAt = performance.now();
  await closing.close();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await ended;
});

/** Sends a request when it is told to, from a thread that the service does not block, and reports when it is sent. */
const CALLER = `
  const { parentPort, workerData: { port, turn } } = require('node:worker_threads');
  const { connect } = require('node:net');
  let answer = '';
  parentPort.postMessage('ready');
  Atomics.wait(turn, 0, 0);
  const socket = connect(port, '127.0.0.1').on('data', (chunk) => (answer += chunk));
  socket.on('error', (error) => (answer += error)).on('close', () => parentPort.postMessage(answer));
  socket.write('GET /sample/open HTTP/1.1\\r\\nHost: sample\\r\\n\\r\\n', () => {
    Atomics.store(turn, 0, 2);
    Atomics.notify(turn, 0);
  });
`;

test.each([1, 2, 3])(
  'a request that arrives while the process is busy is answered, although it is time to close (%d)',
  async () => {
    const closing = await startSample({ drainMs: 150 });
    const turn = new Int32Array(new SharedArrayBuffer(4));
    const port = Number(new URL(closing.url).port);
    const caller = new Worker(CALLER, { eval: true, workerData: { port, turn } });
    await once(caller, 'message');
    const answered = once(caller, 'message');
    const closed = closing.close();
    Atomics.store(turn, 0, 1);
    Atomics.notify(turn, 0);
    // As a long computation does: when it ends, the request has been sent, and the time to drain is over.
    expect(Atomics.wait(turn, 0, 1, 10_000)).not.toBe('timed-out');
    Atomics.wait(turn, 0, 2, 200);
    expect(await answered).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 /)]);
    await closed;
  },
);
