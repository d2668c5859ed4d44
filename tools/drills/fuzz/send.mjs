// Sends requests that a well-behaved HTTP client would reject.
import { Agent, request } from 'node:http';

/** Bytes after which the rest of a response is not read. */
const ENOUGH = 2_000_000;

const TIMEOUT_MS = 30_000;

export class Sender {
  #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(url) {
    const { hostname, port } = new URL(url);
    this.target = { hostname, port };
  }

  close() {
    this.#agent.destroy();
  }

  /**
   * @param {import('./requests.mjs').FuzzRequest} fuzzed
   * @returns {Promise<{ status: number, type: string, headers: object, text: string, isWhole: boolean }>} for a
   *   stream, only its head is read
   */
  send({ method, path, headers, body }) {
    return new Promise((resolve, reject) => {
      const sent = request({
        ...this.target,
        agent: this.#agent,
        method,
        path,
        headers: framed(headers, body),
      });
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
      sent.on('error', reject);
      sent.on('response', (response) => {
        const { statusCode: status = 0, headers: head } = response;
        const type = String(head['content-type'] ?? '').replace(/;.*/, '');
        const chunks = [];
        let length = 0;
        const end = () =>
          resolve({
            status,
            type,
            headers: head,
            text: Buffer.concat(chunks).toString(),
            isWhole: response.complete,
          });
        if (type === 'text/event-stream') {
          response.destroy();
          return end();
        }
        response.on('data', (chunk) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > ENOUGH) response.destroy();
        });
        response.on('close', end);
        response.on('error', () => undefined);
      });
      sent.end(body === undefined ? undefined : Buffer.from(body, 'latin1'));
    });
  }
}

function framed(headers, body) {
  return body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body, 'latin1') };
}
