import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLogger, type HttpService } from '@svc/service-kit';
import {
  placeEmbeddedDatabase,
  recordAnswer,
  recordLog,
  recordSecrets,
  SharedPostgres,
} from '@svc/test-servers';
import { DataSource } from 'typeorm';
import { readRegistryConfig } from '../src/config.js';
import { startRegistry } from '../src/start-registry.js';

/** A parsed answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** What a test adds to a request. */
export interface Sent {
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A registry in this process, with its own data folder. */
export interface RunningRegistry {
  readonly service: HttpService;
  readonly url: string;
  readonly dataSource: DataSource;
  readonly dataDir: string;
  readonly token: string;
  /** Everything logged so far. */
  logged(): string;
  /** Asks with the bootstrap token. */
  ask(method: string, path: string, sent?: Sent): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Starts a registry on a free port.
 *
 * @param database where its data is, unless `environment` has a `DATABASE_URL`: in a database of its own on the PostgreSQL
 *   server of the whole run, or in the embedded one
 */
export async function runRegistry(
  environment: Readonly<Record<string, string>> = {},
  database: 'postgres' | 'embedded' = 'postgres',
): Promise<RunningRegistry> {
  const hasDatabase = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => environment[name] !== undefined);
  if (database === 'embedded' || hasDatabase) return start(environment);
  const postgres = new SharedPostgres();
  try {
    const DATABASE_URL = await postgres.createRegistryDatabase();
    return await start({ ...environment, DATABASE_URL }, async () => postgres.dropDatabases());
  } catch (error) {
    await postgres.dropDatabases();
    throw error;
  }
}

async function start(
  environment: Readonly<Record<string, string>>,
  afterwards: () => Promise<void> = async () => undefined,
): Promise<RunningRegistry> {
  const dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const config = readRegistryConfig({ DATA_DIR: dataDir, PORT: '0', ...environment });
  if (config.DATABASE_URL === undefined) await placeEmbeddedDatabase(dataDir);
  const service = await startRegistry(config, createLogger('registry', 'info', sink)).catch(
    async (error: unknown) => {
      await rm(dataDir, { recursive: true });
      throw error;
    },
  );
  const token = config.BOOTSTRAP_TOKEN ?? (await readFile(join(dataDir, 'bootstrap-token'), 'utf8')).trim();
  recordSecrets(token);
  return {
    service,
    url: service.url,
    dataSource: service.app.get(DataSource),
    dataDir,
    token,
    logged: () => lines.join(''),
    ask: async (method, path, sent) => ask(service.url + path, method, token, sent),
    close: async () => {
      await service.close();
      recordLog(lines.join(''));
      await rm(dataDir, { recursive: true });
      await afterwards();
    },
  };
}

/** Sends one request with a bearer token. An answer that is not JSON counts as `{}`. */
export async function ask(url: string, method: string, token: string, sent: Sent = {}): Promise<Answer> {
  const { body } = sent;
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = text !== '' && /json/.test(response.headers.get('content-type') ?? '');
  const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  const { pathname } = new URL(url);
  // Its examples look like secrets that were issued.
  if (pathname !== '/openapi.json') recordAnswer(`${method} ${pathname}`, parsed);
  return { status: response.status, headers: response.headers, body: parsed };
}

/**
 * Sends a request again for as long as the answer is 503, as callers do: then nothing was changed. On a busy machine, some of
 * many concurrent changes wait too long for the others.
 */
export async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

/** The path of a Client. */
export function pathOf(clientId: unknown): string {
  return `/client/${encodeURIComponent(String(clientId))}`;
}

/** A registration's body. */
export function registration(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'], ...overrides };
}
