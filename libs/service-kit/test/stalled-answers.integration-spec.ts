import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LARGE, startSample } from './sample-service.js';

/** How long an answer may wait to be taken, in milliseconds. */
const STALLED_MS = 2_000;

let service: Awaited<ReturnType<typeof startSample>>;
beforeAll(async () => {
  service = await startSample({ stalledAnswerMs: STALLED_MS, maxInFlight: 1 });
});
afterAll(async () => service.close());

async function ask(path: string): Promise<IncomingMessage> {
  const [response] = (await once(get(service.url + path, { agent: false }), 'response')) as [IncomingMessage];
  return response;
}

test('a caller that stops reading loses its connection, and its request is no longer in flight', async () => {
  const stalled = await ask('/sample/large');
  expect((await ask('/sample/open')).statusCode).toBe(503);
  let status: number | undefined;
  while (status !== 200) {
    await sleep(50);
    const other = await ask('/sample/open');
    other.resume();
    status = other.statusCode;
  }
  await expect(stalled.toArray()).rejects.toThrow('aborted');
});

test('a slow reader gets the whole response', async () => {
  const response = await ask('/sample/large');
  let length = 0;
  // The pauses together are twice the limit. The system lets the server write again when a third of its buffer is empty,
  // which may be more than a megabyte: some parts make so much.
  for (let part = 0; part < 40; part += 1) {
    length += (response.read(512 * 1024) as Buffer | null)?.length ?? 0;
    await sleep(STALLED_MS / 20);
  }
  for await (const chunk of response) length += (chunk as Buffer).length;
  expect(length).toBe(LARGE + '{"large":""}'.length);
});

test('a response with nothing to send stays open', async () => {
  const chunks = await (await ask('/sample/silent')).toArray();
  expect(Buffer.concat(chunks).toString()).toBe('first,last');
});
