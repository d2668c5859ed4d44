import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { recordAnswer, recordSecrets, SharedPostgres } from '@svc/test-servers';
import { ROOT, type RunningService, startCommander, startRegistry } from './services.js';

export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Both services, after a sample of every kind of request. */
export interface ExercisedServices {
  readonly registry: RunningService;
  readonly commander: RunningService;
  readonly registryToken: string;
  readonly commanderToken: string;
  /** The `GET /metrics` responses of both. */
  readonly figures: string;
  end(): Promise<void>;
}

export async function exerciseServices(): Promise<ExercisedServices> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-operations-'));
  const postgres = new SharedPostgres();
  writeFileSync(join(folder, 'svccmd.conf'), configuration(folder));
  for (const name of ['iplookup', 'lookups']) mkdirSync(join(folder, name));
  copyFileSync(`${ROOT}tools/sample/iplookup/sites.csv`, join(folder, 'iplookup/sites.csv'));
  writeFileSync(join(folder, 'iplookup/zones.csv'), 'network,zone\n127.0.0.0/8,machine\n');
  writeFileSync(
    join(folder, 'lookups.yaml'),
    'lookups: {networks: {layers: [{source: sites.csv, input_ip_format: ipv4}]}, gone: {layers: [{source: gone.csv}]}}',
  );
  await svccmd(folder, ['keygen', 'password.key']);
  await svccmd(folder, ['iplookup', 'from-csv', 'zones.csv', '-i', 'cidr']);
  const [registry, commander] = await Promise.all([
    startRegistry({
      DATA_DIR: join(folder, 'registry'),
      // Empty, so that the log includes migrations.
      DATABASE_URL: await postgres.createDatabase(),
      REGISTRATION: 'open',
      AUDIT_IP_LOOKUP: join(folder, 'lookups/zones.mmdb'),
      ADMIN_ALLOWED_ZONES: 'machine',
    }),
    startCommander(folder),
  ]);
  const registryToken = readFileSync(join(folder, 'registry/bootstrap-token'), 'utf8').trim();
  const commanderToken = readFileSync(join(folder, 'svccmd.token'), 'utf8').trim();
  recordSecrets(registryToken, commanderToken);
  await askRegistry(registry.url, registryToken);
  // Builds over HTTP are refused while another is in progress.
  while (!existsSync(join(folder, 'lookups/networks.mmdb'))) await sleep(20);
  await askCommander(commander.url, commanderToken);
  await svccmd(folder, ['client', 'list'], {
    SVCCMD_REGISTRY_URL: registry.url,
    SVCCMD_REGISTRY_TOKEN: registryToken,
    TRACEPARENT: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
  });
  const figures = await Promise.all([
    send(`GET ${registry.url}/metrics`, registryToken),
    send(`GET ${commander.url}/metrics`, commanderToken),
  ]);
  return {
    ...{ registry, commander, registryToken, commanderToken, figures: figures.join('') },
    end: async () => {
      await Promise.all([registry.stop(), commander.stop()]);
      await postgres.dropDatabases();
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(folder: string): string {
  return `[pwdencryptor]\nkey=password.key
[source]\npath=${ROOT}tools/sample/library
[destination]\nurls=file://${folder}/stored
[library:samples]\nsource.path=${ROOT}tools/sample/library\ndestination.path=/samples
[iplookup]\nsource_path=iplookup\ndestination_path=lookups\ndeclarations=lookups.yaml\ninterval=1 d\n`;
}

async function svccmd(cwd: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const program = `${ROOT}apps/commander-api/bin/svccmd.js`;
  await promisify(execFile)(process.execPath, [program, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
  });
}

async function askRegistry(url: string, token: string): Promise<void> {
  const client = {
    client_name: 'Shop',
    redirect_uris: ['https://shop.example/cb'],
    preferred_client_id: 'shop',
  };
  await send(`POST ${url}/client`, token, client);
  await send(`POST ${url}/client/shop/check/secret`, token, { client_secret: 'wrong' });
  await send(`POST ${url}/client`, token, '{');
  await send(`GET ${url}/client/nobody`, token);
  for (let times = 0; times < 11; times += 1) await send(`GET ${url}/client`, 'wrong');
}

async function askCommander(url: string, token: string): Promise<void> {
  await send(`PUT ${url}/library/load`, token);
  await send(`PUT ${url}/libraries/samples/load`, token);
  await send(`POST ${url}/library/rollback?steps=7`, token);
  await send(`POST ${url}/iplookup/from-csv`, token, { file_name: 'sites.csv', input_ip_format: 'ipv4' });
  await send(`POST ${url}/encpwd`, token, 'correct horse');
}

/** @param asked method and URL; @param body sent as JSON, a string as it is */
async function send(asked: string, token: string, body?: object | string): Promise<string> {
  const [method = '', url = ''] = asked.split(' ');
  const isText = typeof body === 'string' && !body.startsWith('{');
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (/json/.test(response.headers.get('content-type') ?? ''))
    recordAnswer(`${method} ${new URL(url).pathname}`, JSON.parse(text));
  return text;
}
