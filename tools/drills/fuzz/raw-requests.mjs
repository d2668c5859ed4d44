// Malformed HTTP, as sent by attackers rather than client libraries.
import { once } from 'node:events';
import { connect } from 'node:net';

const HOST = 'Host: x\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Timeout for a response or the end of the connection: the service waits 15 s for headers. */
const TIMEOUT_MS = 40_000;

const MALFORMED = [
  '\r\n\r\n\r\n',
  'GET\r\n\r\n',
  `GET / HTTP/9.9\r\n${HOST}\r\n`,
  `GET  / HTTP/1.1\r\n${HOST}\r\n`,
  `get /client HTTP/1.1\r\n${HOST}\r\n`,
  'GET /client HTTP/1.1\r\n\r\n',
  'GET /client HTTP/1.0\r\n\r\n',
  `GET /client HTTP/1.1\r\n${HOST}${HOST}\r\n`,
  `GET http://evil.example/client HTTP/1.1\r\n${HOST}\r\n`,
  `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
  `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  `GET /client\0 HTTP/1.1\r\n${HOST}\r\n`,
  `GET /cli ent HTTP/1.1\r\n${HOST}\r\n`,
  `GET /client/\x80\xff HTTP/1.1\r\n${HOST}\r\n`,
  `GET /client/%c3%28 HTTP/1.1\r\n${HOST}\r\n`,
  `GET /../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`,
  `GET //client HTTP/1.1\r\n${HOST}\r\n`,
  `GET /client#x HTTP/1.1\r\n${HOST}\r\n`,
  `GET /client?a=\x01 HTTP/1.1\r\n${HOST}\r\n`,
  `GET /${'a/'.repeat(4_000)} HTTP/1.1\r\n${HOST}\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}${'X: y\r\n'.repeat(3_000)}\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}X\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}: y\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}X : y\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`,
  `GET /client HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
  `GET /client HTTP/1.1\n${HOST}\n\n`,
  `GET /client HTTP/1.1\r\n${HOST}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: -1\r\n\r\n{}`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 0x2\r\n\r\n{}`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 99999999999999999999\r\n\r\n{}`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: gzip\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `POST /client HTTP/1.1\r\n${HOST}${JSON_TYPE}Expect: the-unexpected\r\nContent-Length: 2\r\n\r\n{}`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\x04\x01\x00\x50\x7f\x00\x00\x01\x00',
  '*1\r\n$4\r\nINFO\r\n',
];

/**
 * Sends each on its own connection, and half-closes it.
 *
 * @returns {Promise<{ sent: number, failures: string[] }>} the requests with an invalid response, or none
 */
export async function sendRawRequests(url) {
  const failures = await Promise.all(MALFORMED.map((bytes) => failureOf(url, bytes)));
  return { sent: MALFORMED.length, failures: failures.filter((failure) => failure !== undefined) };
}

async function failureOf(url, bytes) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A reset connection is an acceptable response, too.
  socket.on('error', () => undefined);
  const timer = setTimeout(() => {
    chunks.push('(no end)');
    socket.destroy();
  }, TIMEOUT_MS);
  socket.end(Buffer.from(bytes, 'latin1'));
  await once(socket, 'close');
  clearTimeout(timer);
  const answer = chunks.join('');
  const failure = failureIn(answer);
  return (
    failure &&
    `${failure}\n  ${JSON.stringify(bytes.slice(0, 200))} got ${JSON.stringify(answer.slice(0, 400))}`
  );
}

/** @returns the error in the response; an empty response is fine */
function failureIn(answer) {
  if (answer === '') return undefined;
  if (answer.endsWith('(no end)')) return 'neither an answer nor an end';
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  if (status === undefined) return 'an answer that is no HTTP';
  if (Number(status) >= 500) return `status ${status}`;
  return Number(status) >= 400 && !/content-type: application\/(problem\+)?json/i.test(answer)
    ? 'a refusal that is no problem'
    : undefined;
}
