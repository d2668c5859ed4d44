import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import pg from 'pg';
import { AddressedClient } from './addressed-client.js';
import { ConnectionAttempts } from './connection-attempts.js';

/** A message of the protocol (PostgreSQL documentation, section 54.7). */
function message(type: string, ...parts: readonly (string | number)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(`${part}\0`);
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const AUTHENTICATION_OK = message('R', 0);
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const SHUTTING_DOWN = message('E', 'SFATAL', 'C57P01', 'Mterminating connection', '');

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY, SHUTTING_DOWN])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

test('a server that accepts a session and ends it at once does not end this process', async () => {
  const attempts = new ConnectionAttempts({
    readUrl: () => `postgres://o:p@127.0.0.1:${port}/r?sslmode=disable`,
  });
  const pool = new pg.Pool({
    Client: class extends AddressedClient {
      constructor(options: pg.ClientConfig = {}) {
        super(options, attempts);
      }
    },
  });
  pool.on('error', () => undefined);
  await expect(pool.query('SELECT 1')).rejects.toThrow();
  await pool.end();
});
