import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query, SharedPostgres } from '@svc/test-servers';
import { type ProcessEnvironment, runProgram } from '../registry-process.js';

const server = new SharedPostgres();
const PEPPER = 'a pepper that both programs were given';
let environment: ProcessEnvironment;
let DATABASE_URL: string;

beforeAll(async () => {
  DATABASE_URL = await server.createRegistryDatabase();
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'registry-'));
  environment = { DATABASE_URL, DATA_DIR, SECRET_PEPPER: PEPPER.replaceAll(' ', '-') };
  for (const name of ['one', 'two', 'three']) {
    const made = await runProgram(['token', 'create', '--name', name, '--scope', 'audit:read'], environment);
    expect(made).toMatchObject({ status: 0 });
  }
});
afterAll(async () => {
  await rm(environment.DATA_DIR, { recursive: true });
  await server.dropDatabases();
});

const verify = async (...words: string[]) => runProgram(['audit', 'verify', ...words], environment);

test('the record of tokens made in a shell verifies, and contains what was noted', async () => {
  const { status, output } = await verify();
  expect([status, JSON.parse(output)]).toEqual([
    0,
    { events: 3, first: expect.stringMatching(/^1-/), last: expect.stringMatching(/^3-[0-9a-f]{64}$/) },
  ]);
  const { last } = JSON.parse(output) as { last: string };
  expect(await verify('--includes', last)).toMatchObject({ status: 0, output });
  const other = await verify('--includes', `3-${'0'.repeat(64)}`);
  expect(other).toMatchObject({ status: 1, output: '' });
  expect(other.errors).toContain('registry-api: the audit log does not contain event 3-');
});

test.each([[['check']], [['verify', 'now']], [['verify', '--includes', '3']]])(
  'audit %j is a usage error',
  async (words) => {
    expect(await runProgram(['audit', ...words], environment)).toMatchObject({ status: 2, output: '' });
  },
);

test('another pepper does not verify it, and the error says which to add', async () => {
  const other = { ...environment, SECRET_PEPPER: 'x'.repeat(40) };
  const { status, errors } = await runProgram(['audit', 'verify'], other);
  expect([status, errors]).toEqual([1, expect.stringContaining('add it after the current one')]);
  const both = { ...other, SECRET_PEPPER: `${other.SECRET_PEPPER} ${environment['SECRET_PEPPER']}` };
  expect(await runProgram(['audit', 'verify'], both)).toMatchObject({ status: 0 });
});

test('a changed event ends it with 1, and the event is named', async () => {
  await query(DATABASE_URL, 'ALTER TABLE security_event DISABLE TRIGGER security_event_stays');
  await query(DATABASE_URL, `UPDATE security_event SET actor_name = 'nobody' WHERE seq = 2`);
  const { status, output, errors } = await verify();
  expect([status, output]).toEqual([1, '']);
  expect(errors).toMatch(/registry-api: event 2 of \S+ does not match its MAC/);
});
