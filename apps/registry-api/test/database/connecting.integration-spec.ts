import { chown, chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Certificates,
  eventually,
  makeCertificates,
  type PostgresServer,
  query,
  startPostgres,
} from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { registration, type RunningRegistry, runRegistry } from '../running-registry.js';

/** A changed URL is noticed within two seconds. */
const NOTICED_MS = 2_100;

const BOOTSTRAP_TOKEN = 'bootstrap-token-of-the-tests-of-connecting';

let folder: string;
let certificates: Certificates;
let primary: PostgresServer;
let standby: PostgresServer;
let database: URL;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connecting-'));
  await chmod(folder, 0o755);
  certificates = await makeCertificates(folder);
  await giveToServer(certificates.serverKey);
  const settings = {
    ssl: 'on',
    ssl_cert_file: certificates.serverCert,
    ssl_key_file: certificates.serverKey,
  };
  primary = await startPostgres({ settings });
  database = new URL(await primary.createRegistryDatabase());
  standby = await primary.startStandby();
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  await standby.stop();
  await primary.stop();
  await rm(folder, { recursive: true });
});

/** As root the server runs as another user, who owns nothing but its data; it refuses keys that others can read. */
async function giveToServer(key: string): Promise<void> {
  await chmod(key, 0o600);
  if (process.getuid?.() === 0) await chown(key, 65_534, (await stat('/etc/passwd')).gid);
}

/** The database's URL with other hosts or parameters. */
function urlWith({
  hosts = database.host,
  parameters = '',
}: {
  hosts?: string;
  parameters?: string;
}): string {
  const { username, password, pathname } = database;
  return `postgres://${username}:${password}@${hosts}${pathname}?${parameters}`;
}

async function withRegistry<T>(
  environment: Readonly<Record<string, string>>,
  work: (registry: RunningRegistry) => Promise<T>,
): Promise<T> {
  // All use one database.
  const registry = await runRegistry({ ...environment, BOOTSTRAP_TOKEN, SECRET_PEPPER: BOOTSTRAP_TOKEN });
  try {
    return await work(registry);
  } finally {
    await registry.close();
  }
}

const register = async (registry: RunningRegistry) =>
  (await registry.ask('POST', '/client', { body: registration() })).status;

const sessionIsEncrypted = async ({ dataSource }: RunningRegistry) => {
  const [row] = await dataSource.query<{ ssl: boolean }[]>(
    'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
  );
  return row?.ssl;
};

describe('several hosts', () => {
  test.each([
    ['a standby before the primary', () => [new URL(standby.url).host, database.host]],
    ['a host where nothing listens before the primary', () => ['127.0.0.1:1', database.host]],
  ])('%s: the primary is used', async (_case, hosts) => {
    const url = urlWith({ hosts: hosts().join(','), parameters: 'target_session_attrs=read-write' });
    await withRegistry({ DATABASE_URL: url }, async (registry) => {
      expect(await register(registry)).toBe(201);
      expect((await registry.ask('GET', '/metrics')).status).toBe(200);
    });
  });

  test('without a primary among them the start fails, and names them', async () => {
    const url = urlWith({ hosts: `127.0.0.1:1,${new URL(standby.url).host}` });
    await expect(runRegistry({ DATABASE_URL: url })).rejects.toThrow('the server accepts no writes');
  });
});

describe('TLS', () => {
  test.each([
    ['', true],
    ['sslmode=disable', false],
    ['sslmode=allow', false],
    ['sslmode=prefer', true],
    ['sslmode=require', true],
    ['sslmode=verify-ca&sslrootcert=CA', true],
    ['sslmode=verify-full&sslrootcert=CA', true],
  ])('%s: encrypted: %s', async (parameters, isEncrypted) => {
    const url = urlWith({ parameters: parameters.replace('CA', encodeURIComponent(certificates.ca)) });
    await withRegistry({ DATABASE_URL: url }, async (registry) => {
      expect(await sessionIsEncrypted(registry)).toBe(isEncrypted);
    });
  });

  test.each([
    ['sslmode=verify-full', 'unable to'],
    ['sslmode=verify-full&sslrootcert=/nowhere.pem', '/nowhere.pem'],
  ])('%s: refused', async (parameters, message) => {
    const url = urlWith({ parameters });
    await expect(runRegistry({ DATABASE_URL: url })).rejects.toThrow(message);
  });

  test('channel_binding=require: used over TLS, rejected without it', async () => {
    const url = (mode: string) => urlWith({ parameters: `sslmode=${mode}&channel_binding=require` });
    await withRegistry({ DATABASE_URL: url('require') }, async (registry) => {
      expect(await register(registry)).toBe(201);
    });
    await expect(runRegistry({ DATABASE_URL: url('disable') })).rejects.toThrow(
      'channel_binding=require, but the server does not offer SCRAM-SHA-256-PLUS',
    );
  });

  test('only verify-full rejects a certificate for another name', async () => {
    // Another way to write 127.0.0.1, which the certificate does not contain.
    const hosts = `127.1:${database.port}`;
    const url = (mode: string) =>
      urlWith({ hosts, parameters: `sslmode=${mode}&sslrootcert=${encodeURIComponent(certificates.ca)}` });
    await withRegistry({ DATABASE_URL: url('verify-ca') }, async (registry) => {
      expect(await sessionIsEncrypted(registry)).toBe(true);
    });
    await expect(runRegistry({ DATABASE_URL: url('verify-full') })).rejects.toThrow(
      "does not match certificate's altnames",
    );
  });
});

describe('credentials that change', () => {
  test('the files are read for each new connection; a wrong password is 503 and one line of the log', async () => {
    const [urlFile, passwordFile] = [join(folder, 'url'), join(folder, 'db-password')];
    await writeFile(urlFile, `${urlWith({})}\n`);
    await writeFile(passwordFile, `${database.password}\n`);
    const files = { DATABASE_URL_FILE: urlFile, DATABASE_PASSWORD_FILE: passwordFile };
    await withRegistry(files, async (registry) => {
      const { dataSource } = registry;
      await dataSource.query(`ALTER ROLE postgres PASSWORD 'rotated'`);
      // Waits for their end: a request on one that is about to end fails for that reason.
      const endSessions = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      const admin = dataSource.createQueryRunner();
      // Again if a session was just beginning: it is not listed yet.
      await eventually(async () => {
        await admin.query(endSessions);
        const statuses = await Promise.all(Array.from({ length: 10 }, async () => register(registry)));
        expect(new Set(statuses)).toEqual(new Set([503]));
      });
      await writeFile(passwordFile, 'rotated\n');
      await eventually(async () => expect(await register(registry)).toBe(201));
      const lines = registry
        .logged()
        .split('\n')
        .filter((line) => /"level":"(warn|error)"/.test(line));
      // From here on, new connections of work in the background fail.
      await admin.query(`ALTER ROLE postgres PASSWORD '${database.password}'`);
      await admin.release();
      expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
        'the database is unavailable',
        'the database is available again',
      ]);
      expect(lines[0]).toContain('28P01: password authentication failed');
    });
  });

  test('another URL replaces the former one once it works; until then that one is used, for new connections, too', async () => {
    const urlFile = join(folder, 'changed-url');
    const named = (name: string, user = database.username) =>
      urlWith({ parameters: `application_name=${name}` }).replace(`//${database.username}`, `//${user}`);
    const connectionsOf = async (name: string) =>
      (await query(database.href, `SELECT FROM pg_stat_activity WHERE application_name = '${name}'`)).length;
    await writeFile(urlFile, named('former'));
    await withRegistry({ DATABASE_URL_FILE: urlFile }, async (registry) => {
      await writeFile(urlFile, named('wrong', 'no_such_role'));
      await eventually(async () => {
        expect(await register(registry)).toBe(201);
        expect(registry.logged()).toContain('the database URL has changed, but the new one does not work');
      });
      const registerMany = async () =>
        Promise.all(Array.from({ length: 40 }, async () => register(registry)));
      // Requests may be done before the pool has grown.
      await eventually(async () => {
        expect(new Set(await registerMany())).toEqual(new Set([201]));
        expect(await connectionsOf('former')).toBeGreaterThan(2);
      });
      await writeFile(urlFile, 'not a URL');
      await sleep(NOTICED_MS);
      await query(
        database.href,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'former'`,
      );
      await eventually(async () => expect(new Set(await registerMany())).toEqual(new Set([201])));
      await rm(urlFile);
      await sleep(NOTICED_MS);
      expect(await register(registry)).toBe(201);
      await writeFile(urlFile, named('next'));
      await eventually(async () => {
        expect(await register(registry)).toBe(201);
        expect(await connectionsOf('next')).toBeGreaterThan(0);
      });
      // The one for notifications is verified every 15 seconds.
      await eventually(async () => {
        expect(await register(registry)).toBe(201);
        expect(await connectionsOf('former')).toBe(0);
      });
    });
  });
});
