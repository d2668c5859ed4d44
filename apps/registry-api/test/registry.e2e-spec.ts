import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { recordAnswer, SharedPostgres } from '@svc/test-servers';
import { type ProcessEnvironment, RegistryProcess, runProgram } from './registry-process.js';
import { type Answer, ask, pathOf, registration } from './running-registry.js';

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

/** What a start needs for each kind of database, and the ways to end that are tried before one under load. */
const DATABASES: [string, () => Promise<Record<string, string>>, NodeJS.Signals[]][] = [
  ['PostgreSQL', async () => ({ DATABASE_URL: await server.createDatabase() }), ['SIGKILL', 'SIGINT']],
  ['the embedded database', async () => ({}), ['SIGKILL']],
];

/** A registration whose body is sent only once the registry has read the request's headers. */
class Registration {
  private readonly request: ClientRequest;

  constructor(url: string, token: string) {
    this.request = request(`${url}/client`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
  }

  /** @throws {Error} if the registry closes the connection instead */
  async accepted(): Promise<void> {
    await once(this.request, 'continue');
  }

  async answer(): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
    this.request.end(JSON.stringify(registration()));
    const [response] = (await once(this.request, 'response')) as [IncomingMessage];
    const body = (await json(response)) as Record<string, unknown>;
    recordAnswer('POST /client', body);
    return { status: response.statusCode, body };
  }
}

/** A request that `token create` answers with a token on standard output. */
const CREATE_TOKEN = ['token', 'create', '--name', 'rescue', '--scope', 'clients:read'];

// One database each, whose registry ends and starts again: each test goes on where the one before it stopped.
describe.each(DATABASES)('on %s', (name, makeEnvironment, signals) => {
  let environment: ProcessEnvironment;
  let registry: RegistryProcess;
  let token: string;
  /** A Client as it was registered, with its secret, and as it was read. */
  let made: Answer;
  let before: Answer;
  /** The output of all starts. */
  let printed = '';

  beforeAll(async () => {
    environment = { ...(await makeEnvironment()), DATA_DIR: await mkdtemp(join(tmpdir(), 'registry-')) };
  });
  afterAll(async () => {
    await registry.end('SIGKILL');
    await rm(environment.DATA_DIR, { recursive: true });
  });

  const start = async (): Promise<void> => {
    registry = await RegistryProcess.start(environment);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    expect(await registry.end(signal)).toBe(signal === 'SIGKILL' ? null : 0);
    printed += registry.printed();
  };

  const expectEverythingKept = async (): Promise<void> => {
    expect(await registry.token()).toBe(token);
    const after = await registry.ask('GET', pathOf(made.body['client_id']));
    expect(after).toMatchObject({ status: 200, body: before.body });
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    // The pepper is the same: the secret still counts as the Client's.
    const replaced = await registry.ask('PUT', pathOf(made.body['client_id']), { body: made.body });
    expect(replaced.status).toBe(200);
  };

  // Without a template: here the embedded database itself is made, too.
  test('`migrate` prepares the database and exits, and leaves nothing to apply to the first start', async () => {
    const migrated = await runProgram(['migrate'], environment);
    expect(migrated).toMatchObject({ status: 0, errors: '' });
    expect(migrated.output).toContain('CreateRegistry');
    expect(migrated.output).not.toContain('a newer version');
    await start();
    expect(registry.printed()).not.toContain('"applied"');
    token = await registry.token();
    made = await registry.ask('POST', '/client', { body: registration() });
    expect(made.status).toBe(201);
    before = await registry.ask('GET', pathOf(made.body['client_id']));
  });

  test.each(signals)('a Client and the token outlive a %s', async (signal) => {
    await end(signal);
    await start();
    await expectEverythingKept();
  });

  if (name === 'PostgreSQL') {
    test('beside a running registry the shell creates a token that works, and prints nothing else', async () => {
      const created = await runProgram(CREATE_TOKEN, environment);
      expect(created.status).toBe(0);
      expect(created.output).toMatch(/^svcr_[\w-]{43}\n$/);
      const value = created.output.trim();
      expect(created.errors).not.toContain(value);
      expect((await ask(`${registry.url}/client`, 'GET', value)).status).toBe(200);
      expect((await ask(`${registry.url}/token`, 'GET', value)).status).toBe(403);
      const { body } = await registry.ask('GET', '/token');
      expect(body['tokens']).toContainEqual(expect.objectContaining({ name: 'rescue', created_by: 'shell' }));
    });
  } else {
    test.each([
      ['a second registry', []],
      ['the creation of a token', CREATE_TOKEN],
    ])('%s is refused and the error says why; the running one goes on', async (_what, words) => {
      const refused = await runProgram(words, { ...environment, PORT: '0' });
      expect([refused.status, refused.output]).toEqual([1, '']);
      expect(refused.errors).toMatch(/^registry-api: .* is in use by another running process.*\n$/);
      expect((await registry.ask('GET', '/client')).status).toBe(200);
    });
  }

  test('all outlive a SIGTERM under load: every accepted request is answered, and its Client is there afterwards', async () => {
    const requests = Array.from({ length: 40 }, () => new Registration(registry.url, token));
    await Promise.all(requests.map(async (sent) => sent.accepted()));
    const answered = Promise.all(requests.map(async (sent) => sent.answer()));
    const ended = end('SIGTERM');
    const answers = await answered;
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
    await ended;

    const rescue = name === 'PostgreSQL' ? undefined : await runProgram(CREATE_TOKEN, environment);
    await start();
    await expectEverythingKept();
    const list = (await registry.ask('GET', '/client?limit=500')).body['clients'] as { client_id: string }[];
    const kept = list.map(({ client_id }) => client_id);
    expect(kept).toEqual(expect.arrayContaining(answers.map((answer) => answer.body['client_id'])));
    if (rescue !== undefined) {
      expect((await ask(`${registry.url}/client`, 'GET', rescue.output.trim())).status).toBe(200);
    }
    await end('SIGTERM');
  });

  test('secrets are in private files and in no output, which is JSON alone', async () => {
    const file = (fileName: string) => join(environment.DATA_DIR, fileName);
    const { mode } = await stat(file('bootstrap-token'));
    expect((mode & 0o777).toString(8)).toBe('600');
    expect((await stat(file('secret-pepper'))).mode & 0o077).toBe(0);
    expect(printed).toContain(file('bootstrap-token'));
    expect(printed).not.toContain(token);
    expect(printed).not.toContain(String(made.body['client_secret']));
    expect(printed.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  });
});

describe('a command that cannot be carried out', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
  });
  afterEach(async () => rm(dataDir, { recursive: true }));

  test('an invalid configuration ends the start with status 3 and all violations', async () => {
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

  test('a port that is taken ends the start with status 1 and the remedy', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { status, errors } = await runProgram([], {
      DATABASE_URL: await server.createRegistryDatabase(),
      DATA_DIR: dataDir,
      PORT: String((other.address() as AddressInfo).port),
    });
    other.close();
    expect(status).toBe(1);
    expect(errors).toMatch(/^registry-api: PORT: .* is already in use .*set another PORT\n$/);
  });

  test('`migrate` warns of a database that a newer version has migrated', async () => {
    const url = await server.createRegistryDatabase();
    const client = new pg.Client(url);
    await client.connect();
    await client.query("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'FromTheFuture')");
    await client.end();
    const { status, output } = await runProgram(['migrate'], { DATABASE_URL: url, DATA_DIR: dataDir });
    expect(status).toBe(0);
    expect(output).toMatch(/"unknown":\["FromTheFuture"\].*a newer version has migrated the database/);
  });

  test('an unknown command exits with status 2 and the usage', async () => {
    const { status, errors } = await runProgram(['sevre'], { DATA_DIR: dataDir });
    expect(status).toBe(2);
    expect(errors).toMatch(/^usage: registry-api/);
  });

  test('a token command that cannot be used ends with status 2 and the reason', async () => {
    const { status, output, errors } = await runProgram(['token', 'create'], { DATA_DIR: dataDir });
    expect([status, output]).toEqual([2, '']);
    expect(errors).toBe('registry-api: name is required\n');
  });
});
