import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { startSample } from './sample-service.js';

test('close lets a request under way finish', async () => {
  const closing = await startSample();
  const slow = fetch(`${closing.url}/sample/slow`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = closing.close();
  expect(await (await slow).json()).toEqual({ slow: true });
  await closed;
  await expect(fetch(`${closing.url}/sample/open`)).rejects.toThrow();
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

/** Requests a URL after 100 ms, from a thread that the service does not block. */
const CALLER = `
  const { parentPort, workerData: url } = require('node:worker_threads');
  const answer = async () => (await fetch(url)).status;
  setTimeout(() => answer().then((status) => parentPort.postMessage(status), (error) => parentPort.postMessage(String(error.cause))), 100);
`;

test.each([1, 2, 3])(
  'a request that arrives while the process is busy is answered, although it is time to close (%d)',
  async () => {
    const closing = await startSample({ drainMs: 150 });
    const caller = new Worker(CALLER, { eval: true, workerData: `${closing.url}/sample/open` });
    const answered = once(caller, 'message');
    await once(caller, 'online');
    const closed = closing.close();
    // As a long computation does; when it ends, the time to drain is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    expect(await answered).toEqual([200]);
    await closed;
  },
);
