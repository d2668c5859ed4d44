// Generates HTTP load over keep-alive connections, with one request at a time on each. It uses raw sockets, since a
// full HTTP client would use as much CPU as the measured server.
import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * @param {object} load
 * @param {string} load.url where the server listens
 * @param {number} load.connections
 * @param {number} load.seconds
 * @param {(index: number) => { method?: string, path: string, headers?: object, body?: string }} load.request
 * @param {number} load.status the expected status of every response
 * @returns {Promise<{ perSecond: number, p50Ms: number, p99Ms: number }>}
 */
export async function load({ url, connections, seconds, request, status }) {
  const { hostname, port } = new URL(url);
  const expected = Buffer.from(`HTTP/1.1 ${status} `);
  const millis = [];
  let index = 0;
  const started = performance.now();
  const until = started + seconds * 1000;

  async function runConnection() {
    const socket = connect(Number(port), hostname).setNoDelay(true);
    await once(socket, 'connect');
    await new Promise((resolve, reject) => {
      let sent = 0;
      let pending = Buffer.alloc(0);
      const next = () => {
        if (performance.now() >= until) return resolve(undefined);
        sent = performance.now();
        socket.write(encode(request(index++), hostname));
      };
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection under load')));
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const length = answerLength(pending);
        if (length === undefined || pending.length < length) return;
        if (!pending.subarray(0, expected.length).equals(expected)) {
          return reject(new Error(`unexpected answer: ${pending.toString('utf8', 0, 1000)}`));
        }
        pending = pending.subarray(length);
        millis.push(performance.now() - sent);
        next();
      });
      next();
    }).finally(() => socket.removeAllListeners('close').destroy());
  }

  await Promise.all(Array.from({ length: connections }, runConnection));
  const elapsed = (performance.now() - started) / 1000;
  millis.sort((a, b) => a - b);
  return {
    perSecond: millis.length / elapsed,
    p50Ms: millis[Math.floor(millis.length / 2)],
    p99Ms: millis[Math.floor(millis.length * 0.99)],
  };
}

/** @param {{ method?: string, path: string, headers?: object, body?: string }} request @param {string} host */
function encode({ method = 'GET', path, headers = {}, body }, host) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const content =
    body === undefined
      ? '\r\n'
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${content}`;
}

/** Length of the response at the start of `bytes`, once its head is complete. */
function answerLength(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end)) ?? [];
  return end + 4 + Number(length);
}
