import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { limitReceiving } from './limit-receiving.js';

let server: FastifyInstance;

beforeEach(async () => {
  server = fastify();
  limitReceiving(server, 200);
  server.post('/usual', async () => 'done');
  server.post('/slowly', { config: { rawBody: { json: 'parsed', receives: 'slowly' } } }, async () => 'done');
  server.get('/long', async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return 'done';
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(() => server.close());

/** Sends a head, and its body later; gives the status line, or nothing when the connection ends without. */
function ask(head: string, body: string, afterMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.write(`${head}\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const timer = setTimeout(() => socket.write(body), afterMs);
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer.split('\r\n')[0]!);
    });
  });
}

const post = (path: string) => `POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 2`;

test.each([
  ['a body that comes in time is taken', post('/usual'), 50, 'HTTP/1.1 200 OK'],
  ['one that does not ends the connection', post('/usual'), 600, ''],
  ['a route may take its time', post('/slowly'), 600, 'HTTP/1.1 200 OK'],
  ['an answer may take its time', 'GET /long HTTP/1.1', 0, 'HTTP/1.1 200 OK'],
])('%s', async (_case, head, afterMs, status) => {
  expect(await ask(head, head.startsWith('POST') ? '{}' : '', afterMs)).toBe(status);
});
