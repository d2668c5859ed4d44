import { connect } from 'node:net';
import { startSample } from './sample-service.js';

let service: Awaited<ReturnType<typeof startSample>>;
beforeAll(async () => {
  service = await startSample();
});
afterAll(() => service.close());

/** Sends bytes as they are: what fetch would not. */
async function sendRaw(request: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.end(request);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test.each([
  ['no HTTP', 'NONSENSE\r\n\r\n', '400 Bad Request', '', /^The request is not valid HTTP \(HPE_/],
  [
    'a header over the limit',
    `GET /sample/open HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    '',
    /^The request headers are larger than 16384 bytes\.$/,
  ],
  [
    'a chunk that is none',
    'POST /sample/search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    '400 Bad Request',
    '',
    /^The request is not valid HTTP/,
  ],
  [
    'a path that is no text',
    'GET /%zz?secret HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    '400 Bad Request',
    '/%zz',
    /^'\/%zz/,
  ],
])('%s gets a problem document, directly on the socket', async (_, sent, line, instance, detail) => {
  const [head = '', body = ''] = (await sendRaw(sent)).split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${line}`);
  for (const header of [
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${body.length}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    'connection: close',
  ]) {
    expect(head.toLowerCase()).toContain(`\r\n${header}`);
  }
  const id = /\r\nx-request-id: ([0-9a-f-]{36})/.exec(head)?.[1];
  expect(JSON.parse(body)).toMatchObject({
    status: Number(line.slice(0, 3)),
    instance,
    detail: expect.stringMatching(detail) as string,
    request_id: id,
  });
  expect(service.logged()).toContainEqual(
    expect.objectContaining({
      msg: 'request rejected before it was read',
      request_id: id,
      address: '127.0.0.1',
    }),
  );
});

test('an unreadable second request does not corrupt the answer to the first', async () => {
  const answer = await sendRaw('GET /sample/slow HTTP/1.1\r\nHost: a\r\n\r\nNONSENSE\r\n\r\n');
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test.each([
  ['names no host', 'GET /sample/open HTTP/1.1\r\n\r\n', 400, /no Host header/],
  [
    'names two hosts',
    'GET /sample/open HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n',
    400,
    /more than one Host header/,
  ],
  [
    'names a host twice',
    'GET /sample/open HTTP/1.1\r\nHost: a\r\nX: host\r\nHost: a\r\n\r\n',
    400,
    /more than one Host header/,
  ],
  [
    'expects what the server does not know',
    'POST /sample/search HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nContent-Length: 9\r\n\r\n',
    417,
    /no expectation other than 100-continue/,
  ],
])('a request that %s gets a problem document', async (_, sent, status, detail) => {
  const [head = '', body = ''] = (await sendRaw(sent)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toContain('content-type: application/problem+json; charset=utf-8');
  expect(head).toContain('connection: close');
  expect(JSON.parse(body)).toMatchObject({ status, detail: expect.stringMatching(detail) as string });
});

test('HTTP/1.0 needs no host, and 100-continue is supported', async () => {
  expect(await sendRaw('GET /sample/open HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  const expecting =
    'GET /sample/open HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(expecting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test('HEAD is answered without a body, also where its header is over the limit', async () => {
  const answer = await sendRaw(`HEAD /sample/open HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toMatch(/content-length: [1-9]\d*\r\n(?:.+\r\n)*\r\n$/);
});
