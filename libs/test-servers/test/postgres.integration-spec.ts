import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, startPostgres } from '../src/postgres.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres({ settings: { max_connections: '23' } });
});

afterAll(async () => server.stop());

async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows as T[];
  } finally {
    await client.end();
  }
}

test('it is PostgreSQL 18 with the requested settings', async () => {
  expect(await ask(server.url, 'SHOW server_version')).toEqual([
    { server_version: expect.stringMatching(/^18\./) },
  ]);
  expect(await ask(server.url, 'SHOW max_connections')).toEqual([{ max_connections: '23' }]);
});

test('each created database is empty and separate from the others', async () => {
  const [one, other] = [await server.createDatabase(), await server.createDatabase()];
  await ask(one, 'CREATE TABLE mine (id int)');
  const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`;
  expect(await ask(one, tables)).toEqual([{ tablename: 'mine' }]);
  expect(await ask(other, tables)).toEqual([]);
});

test('connections require the password', async () => {
  const url = new URL(server.url);
  url.password = 'wrong';
  await expect(ask(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test.each(['stop', 'kill'] as const)('after a %s it starts again with what was committed', async (how) => {
  const url = await server.createDatabase();
  await ask(url, 'CREATE TABLE kept AS SELECT 7 AS id');
  await server.halt(how);
  await expect(ask(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  await server.startAgain();
  expect(await ask(url, 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
});

test('an invalid setting fails the start with the server’s message', async () => {
  await expect(startPostgres({ settings: { max_connections: 'many' } })).rejects.toThrow('max_connections');
});

// The keeper has no reader left for its output about a server that is gone.
test.each([
  ['runs', ''],
  ['is halted', "await server.halt('kill');"],
])('no server that %s and no folder outlives a killed process', async (_, before) => {
  const script = `
    const { startPostgres } = await import('@svc/test-servers');
    const server = await startPostgres();
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    client.on('error', () => undefined);
    const { rows } = await client.query('SHOW data_directory');
    ${before}
    console.log(server.url + ' ' + rows[0].data_directory);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = '', folder = ''] = line.toString().trim().split(' ');
  expect(existsSync(folder)).toBe(true);
  child.kill('SIGKILL');
  while (existsSync(folder)) await sleep(20);
  await expect(ask(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
});
