import { once } from 'node:events';
import { request } from 'node:http';
import { recordAnswer } from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

const MEBIBYTE = 1024 * 1024;

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

const send = async (body: string, type = 'application/x-ndjson') =>
  registry.ask('POST', '/clients/import', { body, headers: { 'content-type': type } });

test.each([
  ['application/json', '{}'],
  ['text/plain', 'x'],
  ['text/csv', 'client_id'],
  ['application/x-ndjsonx', '{}'],
])('%s is refused with 415', async (type, body) => {
  const answer = await send(body, type);
  expect([answer.status, answer.body['detail']]).toEqual([
    415,
    'This endpoint does not support the Content-Type of the body.',
  ]);
});

test('no body, or a compressed one, is rejected with 415', async () => {
  expect((await fetchImport()).status).toBe(415);
  const compressed = await fetchImport({
    body: 'x',
    headers: { ...headers(), 'content-encoding': 'gzip' },
  });
  expect(compressed.status).toBe(415);
  expect(compressed.headers.get('accept-encoding')).toBe('identity');
});

test('NDJSON is accepted under both of its names, and nowhere else', async () => {
  expect((await send('', 'application/ndjson; charset=utf-8')).status).toBe(200);
  const elsewhere = await registry.ask('POST', '/client', {
    body: JSON.stringify(registration()),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(elsewhere.status).toBe(415);
});

test('a body of 100 MiB is read to its end, one byte more is 413', async () => {
  const line = Buffer.alloc(MEBIBYTE, ' ');
  line[MEBIBYTE - 1] = 0x0a;
  expect(await sendChunks(100, line)).toMatchObject({ status: 200 });
  const tooLarge = await sendChunks(100, line, { last: Buffer.from('\n') });
  expect(tooLarge).toMatchObject({ status: 413, body: { detail: 'The body is larger than 100 MiB.' } });
  const answer = await sendChunks(0, line, { contentLength: 100 * MEBIBYTE + 1 });
  expect(answer).toMatchObject({ status: 413, body: { detail: 'The body is larger than 100 MiB.' } });
});

test('a caller that sends far more than 100 MiB, and keeps sending, gets the error', async () => {
  expect(await sendChunks(180, Buffer.alloc(MEBIBYTE, ' '))).toMatchObject({ status: 413 });
});

test('a caller that does not stop sending loses the connection', async () => {
  const { hostname, port } = new URL(registry.url);
  const sending = request({ hostname, port, method: 'POST', path: '/clients/import', headers: headers() });
  const response = once(sending, 'response');
  const closed = new Promise((resolve) => sending.once('close', resolve));
  sending.on('error', () => undefined);
  const chunk = Buffer.alloc(MEBIBYTE, ' ');
  for (let sent = 0; !sending.destroyed && sent < 400; sent += 1) {
    sending.write(chunk);
    await new Promise(setImmediate);
  }
  const [{ statusCode }] = (await response) as [{ statusCode: number }];
  expect(statusCode).toBe(413);
  await closed;
  // Long before the server closes a connection on which nothing happens.
});

test('a truncated body imports nothing', async () => {
  const { hostname, port } = new URL(registry.url);
  const sending = request({ hostname, port, method: 'POST', path: '/clients/import', headers: headers() });
  sending.on('error', () => undefined);
  sending.write(`${JSON.stringify(registration({ client_id: 'half' }))}\n`);
  await new Promise((resolve) => setTimeout(resolve, 200));
  sending.destroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await registry.ask('GET', pathOf('half'))).status).toBe(404);
  expect((await send(JSON.stringify(registration({ client_id: 'whole' })))).status).toBe(200);
});

const fetchImport = async (init: RequestInit = {}) =>
  fetch(`${registry.url}/clients/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${registry.token}` },
    ...init,
  });

const headers = () => ({
  authorization: `Bearer ${registry.token}`,
  'content-type': 'application/x-ndjson',
});

/** @param sent `contentLength` is that of the header; chunked without */
async function sendChunks(
  times: number,
  chunk: Buffer,
  sent: { readonly last?: Buffer; readonly contentLength?: number } = {},
) {
  const { last = Buffer.alloc(0), contentLength } = sent;
  const { hostname, port } = new URL(registry.url);
  const length = contentLength === undefined ? {} : { 'content-length': String(contentLength) };
  const options = { hostname, port, method: 'POST', path: '/clients/import' };
  const sending = request({ ...options, headers: { ...headers(), ...length } });
  sending.on('error', () => undefined);
  const answered = once(sending, 'response');
  let isAnswered = false;
  sending.once('response', () => (isAnswered = true));
  if (contentLength !== undefined) sending.flushHeaders();
  for (let time = 0; time < times; time += 1) {
    // Once there is an answer Node's client does not tell any more when there is room.
    if (!sending.write(chunk) && !isAnswered) await Promise.race([once(sending, 'drain'), answered]);
  }
  if (contentLength === undefined) sending.end(last);
  const [response] = (await answered) as [AsyncIterable<Buffer> & { statusCode: number }];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  sending.destroy();
  const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
  recordAnswer('POST /clients/import', body);
  return { status: response.statusCode, body };
}
