import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedPostgres } from '@svc/test-servers';
import { RegistryProcess, runProgram } from './registry-process.js';
import { pathOf, registration } from './running-registry.js';

const server = new SharedPostgres();
let dataDir: string;
afterAll(async () => server.dropDatabases());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
});
afterEach(async () => rm(dataDir, { recursive: true }));

/** What a start needs for each kind of database, and the ways to end that are tried. */
const DATABASES: [string, () => Promise<Record<string, string>>, NodeJS.Signals[]][] = [
  ['PostgreSQL', async () => ({ DATABASE_URL: await server.createDatabase() }), ['SIGINT', 'SIGKILL']],
  ['the embedded database', async () => ({}), ['SIGKILL']],
];

describe.each(DATABASES)('on %s', (_name, makeEnvironment, signals) => {
  /** Ends a registry that has a Client and, if asked, many requests under way; checks all that must outlive it. */
  const endAndStartAgain = async (signal: NodeJS.Signals, load: number): Promise<void> => {
    const environment = { ...(await makeEnvironment()), DATA_DIR: dataDir };
    const first = await RegistryProcess.start(environment);
    const token = await first.token();
    const { status, body } = await first.ask('POST', '/client', { body: registration() });
    expect(status).toBe(201);
    const before = await first.ask('GET', pathOf(body['client_id']));
    const requests = Array.from({ length: load }, () =>
      first.ask('POST', '/client', { body: registration() }),
    );
    if (load > 0) await Promise.race(requests);
    const ended = first.end(signal);
    const answers = await Promise.all(requests);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
    expect(await ended).toBe(signal === 'SIGKILL' ? null : 0);

    const second = await RegistryProcess.start(environment);
    expect(await second.token()).toBe(token);
    const after = await second.ask('GET', pathOf(body['client_id']));
    expect(after).toMatchObject({ status: 200, body: before.body });
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    const list = (await second.ask('GET', '/client?limit=500')).body['clients'] as { client_id: string }[];
    const kept = list.map(({ client_id }) => client_id);
    expect(kept).toEqual(expect.arrayContaining(answers.map((answer) => answer.body['client_id'])));
    // The pepper is the same: the secret still counts as the Client's.
    expect((await second.ask('PUT', pathOf(body['client_id']), { body })).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);

    const { mode } = await stat(join(dataDir, 'bootstrap-token'));
    expect((mode & 0o777).toString(8)).toBe('600');
    expect((await stat(join(dataDir, 'secret-pepper'))).mode & 0o077).toBe(0);
    const said = first.said() + second.said();
    expect(said).toContain(join(dataDir, 'bootstrap-token'));
    expect(said).not.toContain(token);
    expect(said).not.toContain(String(body['client_secret']));
    expect(said.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  };

  test.each(signals)('a Client and the token outlive a %s', async (signal) => endAndStartAgain(signal, 0));

  test('both outlive a SIGTERM under load: every accepted request is answered, and its Client is there afterwards', async () =>
    endAndStartAgain('SIGTERM', 40));

  // Without a template: here the embedded database itself is made, too.
  test('`migrate` prepares the database and ends', async () => {
    const environment = { ...(await makeEnvironment()), DATA_DIR: dataDir };
    const first = await runProgram(['migrate'], environment);
    expect(first).toMatchObject({ status: 0, errors: '' });
    expect(first.output).toContain('CreateRegistry');
    expect((await runProgram(['migrate'], environment)).output).toContain('"applied":[]');
  });
});

test('a second process on the same embedded database is refused and told why; the first one goes on', async () => {
  const first = await RegistryProcess.start({ DATA_DIR: dataDir });
  const second = await runProgram([], { DATA_DIR: dataDir, PORT: '0' });
  expect(second.status).toBe(1);
  expect(second.errors).toMatch(/^registry-api: .* is in use by another running process.*\n$/);
  expect((await first.ask('GET', '/client')).status).toBe(200);
  await first.end('SIGTERM');
});

test('several replicas that start at once on one empty database agree on one bootstrap token', async () => {
  const BOOTSTRAP_TOKEN = 'a-token-that-all-replicas-were-given';
  const environment = { DATABASE_URL: await server.createDatabase(), DATA_DIR: dataDir, BOOTSTRAP_TOKEN };
  const replicas = await Promise.all(Array.from({ length: 3 }, () => RegistryProcess.start(environment)));
  for (const { url } of replicas) {
    const answer = await fetch(`${url}/client`, {
      headers: { authorization: `Bearer ${BOOTSTRAP_TOKEN}` },
    });
    expect(answer.status).toBe(200);
  }
  await Promise.all(replicas.map((replica) => replica.end('SIGTERM')));
  const said = replicas.map((replica) => replica.said()).join('');
  expect(said.match(/bootstrap API token with all scopes created/g)).toHaveLength(1);
  expect(said).not.toContain(BOOTSTRAP_TOKEN);
});

test('a configuration that is at fault ends the start with status 3 and all faults', async () => {
  const { status, output, errors } = await runProgram([], {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    PORT: 'http',
    AUDIT_IP_LOOKUP: join(dataDir, 'missing.mmdb'),
  });
  expect({ status, output }).toEqual({ status: 3, output: '' });
  expect(errors.split('\n')).toEqual([
    'registry-api: invalid configuration:',
    expect.stringMatching(/^ {2}PORT: /),
    expect.stringMatching(/^ {2}AUDIT_IP_LOOKUP: cannot be read \(ENOENT\)/),
    expect.stringMatching(/^ {2}NODE_ENV: is production, which requires DATABASE_URL.* and SECRET_PEPPER/),
    '',
  ]);
});

test('a database that cannot be reached ends the start with status 1 and one line without the password', async () => {
  const url = new URL(server.url);
  url.port = '1';
  const { status, errors } = await runProgram([], { DATABASE_URL: url.href, DATA_DIR: dataDir });
  expect(status).toBe(1);
  expect(errors).toMatch(/^registry-api: .*ECONNREFUSED.*\n$/);
  expect(errors).not.toContain(url.password);
});

test('an unknown command ends with status 2 and the usage', async () => {
  const { status, errors } = await runProgram(['sevre'], { DATA_DIR: dataDir });
  expect(status).toBe(2);
  expect(errors).toMatch(/^usage: registry-api/);
});
