import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresServer, recordFigure, restartInTurn, startPostgres } from '@svc/test-servers';
import { buildFormer, formerVersions } from './support/former-version.js';
import { type StartedPair, startPair } from './support/npm-start.js';
import { ROOT, startProgram } from './support/services.js';

/** Clients in the database, imported in parts. */
const CLIENTS = Number(process.env['UPGRADE_CLIENTS'] ?? 2_000);
const PART = 20_000;

const MINUTE = 60_000;

const run = promisify(execFile);
const versions = await formerVersions();

interface Answer {
  readonly status: number;
  readonly text: string;
}

const urlOf = ({ registryPort }: StartedPair) => `http://127.0.0.1:${registryPort}`;

/** A caller with a token. */
function caller(url: string, token: string) {
  return async (method: string, path: string, body?: object | string): Promise<Answer> => {
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json';
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
}

const registration = { client_name: 'Shop', redirect_uris: ['https://shop.example.com/cb'] };

/** The declaration of the n-th Client. */
const declared = (n: number) =>
  JSON.stringify({
    client_id: `client-${n}`,
    client_name: `Client ${n}`,
    redirect_uris: [`https://app-${n}.example.com/cb`],
  });

/** An export, by client_id. */
function exported({ text }: Answer): Map<string, Record<string, unknown>> {
  const clients = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return new Map(clients.map((client) => [String(client['client_id']), client]));
}

/** As JSON, without the messages of warnings, whose wording may change. */
const toText = (value: unknown) =>
  JSON.stringify(value, (name, member: unknown) => (name === 'message' ? undefined : member));

/** Members that a former version exported and this one exports otherwise or not at all. */
function differences(before: Record<string, unknown>, after: Record<string, unknown> | undefined): string[] {
  return Object.entries(before).flatMap(([name, value]) =>
    toText(value) === toText(after?.[name]) ? [] : [`${String(before['client_id'])}: ${name}`],
  );
}

describe.each(versions)('from $name', (version) => {
  let former: string;
  let server: PostgresServer;
  let folder: string;
  /** Ends what has been started. If the build fails, only its error is reported. */
  const cleanUps: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startPostgres();
    cleanUps.push(async () => server.stop());
    folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
    cleanUps.push(async () => rm(folder, { recursive: true }));
    former = await buildFormer(version);
    cleanUps.push(async () => rm(former, { recursive: true }));
  }, 15 * MINUTE);
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const startRegistry = async (root: string, environment: Readonly<Record<string, string>>) =>
    startProgram([join(root, 'apps/registry-api/dist/main.js')], { PORT: '0', ...environment }, root);

  test(
    'replicas are replaced one after another under load, and back: no request fails, and all data stays',
    async () => {
      const token = randomBytes(32).toString('hex');
      const environment = {
        DATABASE_URL: await server.createDatabase(),
        DATA_DIR: folder,
        BOOTSTRAP_TOKEN: token,
      };
      const old = await startRegistry(former, environment);
      const ask = caller(old.url, token);
      for (let first = 0; first < CLIENTS; first += PART) {
        const lines = Array.from({ length: Math.min(PART, CLIENTS - first) }, (_, n) => declared(first + n));
        expect((await ask('POST', '/clients/import', lines.join('\n'))).status).toBe(200);
      }
      const shop = JSON.parse((await ask('POST', '/client', registration)).text) as {
        client_id: string;
        client_secret: string;
      };
      const created = await ask('POST', '/token', {
        name: 'reader',
        scopes: ['clients:read', 'clients:check'],
      });
      const reader = (JSON.parse(created.text) as { token: string }).token;
      const before = exported(await ask('GET', '/clients/export'));
      expect(before.size).toBe(CLIENTS + 1);
      expect(await old.stop()).toBe(0);

      let started = 0;
      const { answered, failed } = await restartInTurn(
        {
          ...{ method: 'POST', path: '/client', status: 201 },
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(registration),
        },
        {
          // Two of the former version, this one in place of each, then the former one again.
          start: async () => startRegistry([3, 4].includes((started += 1)) ? ROOT : former, environment),
          end: async (replica) => expect(await replica.stop()).toBe(0),
          rounds: 4,
        },
      );
      recordFigure(`from ${version.name}: registrations answered, failed`, `${answered}, ${failed.length}`);
      expect(failed).toEqual([]);

      const present = await startRegistry(ROOT, environment);
      const after = exported(await caller(present.url, reader)('GET', '/clients/export'));
      expect(after.size).toBe(CLIENTS + 1 + answered);
      const changed = [...before].flatMap(([id, client]) => differences(client, after.get(id)));
      recordFigure(
        `from ${version.name}: Clients, changed by the upgrade`,
        `${before.size}, ${changed.length}`,
      );
      expect(changed).toEqual([]);
      const check = await caller(present.url, reader)('POST', `/client/${shop.client_id}/check/secret`, {
        client_secret: shop.client_secret,
      });
      expect(JSON.parse(check.text)).toMatchObject({ valid: true });
      expect(await present.stop()).toBe(0);
    },
    10 * MINUTE,
  );

  test(
    'npm start continues with the data in .svc: Clients, configuration, passwords, the loaded library, lookups',
    async () => {
      const home = join(folder, 'svc');
      const svccmd = async (root: string, ...words: string[]) =>
        (
          await run(process.execPath, [
            join(root, 'apps/commander-api/bin/svccmd.js'),
            ...['-c', join(home, 'svccmd.conf')],
            ...words,
          ])
        ).stdout;
      const old = await startPair(former, home);
      const token = (await readFile(join(home, 'registry/bootstrap-token'), 'utf8')).trim();
      expect((await caller(urlOf(old), token)('POST', '/client', registration)).status).toBe(201);
      const clients = exported(await caller(urlOf(old), token)('GET', '/clients/export'));
      const encrypted = (await svccmd(former, 'encpwd', 'correct horse')).trim();
      await svccmd(former, 'library', 'load');
      await svccmd(former, 'iplookup', 'from-csv', 'sites.csv', '-i', 'ipv4');
      const shown = await svccmd(former, 'iplookup', 'dump', 'sites');
      expect(await old.stop()).toBe(0);

      const present = await startPair(ROOT, home);
      const kept = exported(await caller(urlOf(present), token)('GET', '/clients/export'));
      expect([...clients].flatMap(([id, client]) => differences(client, kept.get(id)))).toEqual([]);
      expect(await svccmd(ROOT, 'decpwd', encrypted)).toBe('correct horse');
      // Exit code 1 if anything would change.
      await svccmd(ROOT, 'library', 'diff', '--exit-code');
      expect(await svccmd(ROOT, 'iplookup', 'dump', 'sites')).toBe(shown);
      expect(await present.stop()).toBe(0);
    },
    5 * MINUTE,
  );
});
