import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askForJson, listeningAddress, recordLog, recordSecrets, SharedPostgres } from '@svc/test-servers';

const MAIN = fileURLToPath(new URL('../../../registry-api/dist/main.js', import.meta.url));

const SETTINGS = {
  REGISTRATION: 'token',
  TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic client_secret_post',
};

/** A Client in the registry's response. */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly [member: string]: unknown;
}

/** A built registry in its own process, on a real PostgreSQL; it can be stopped and restarted. */
export class Registry {
  private child: ChildProcess | undefined;
  private port = '0';
  private address = '';

  private constructor(
    private readonly postgres: SharedPostgres,
    private readonly environment: Readonly<Record<'DATA_DIR' | 'DATABASE_URL', string>>,
  ) {}

  static async start(): Promise<Registry> {
    const postgres = new SharedPostgres();
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'example-authorization-server-'));
    const registry = new Registry(postgres, {
      DATABASE_URL: await postgres.createRegistryDatabase(),
      DATA_DIR,
    });
    await registry.appear();
    return registry;
  }

  /** Starts another process on the same database. */
  async replicate(): Promise<Registry> {
    const replica = new Registry(this.postgres, this.environment);
    await replica.appear();
    return replica;
  }

  get url(): string {
    return this.address;
  }

  get databaseUrl(): string {
    return this.environment.DATABASE_URL;
  }

  /** Starts it, on the same port as before. */
  async appear(): Promise<void> {
    this.child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'], PORT: this.port, ...SETTINGS, ...this.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    this.child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    this.child.once('close', () => recordLog(printed));
    this.address = await listeningAddress(this.child);
    this.port = new URL(this.address).port;
  }

  /** kill -9. */
  async vanish(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** SIGTERM. @returns its exit status */
  async leave(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || child.signalCode !== null || child.exitCode !== null) return null;
    child.kill(signal);
    const [status] = (await once(child, 'close')) as [number | null];
    return status;
  }

  /** Makes it accept connections without responding, until {@link thaw}. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    this.thaw();
    await this.vanish();
    await this.postgres.dropDatabases();
    await rm(this.environment.DATA_DIR, { recursive: true });
  }

  async token(): Promise<string> {
    return (await readFile(join(this.environment.DATA_DIR, 'bootstrap-token'), 'utf8')).trim();
  }

  /** Calls the HTTP API with the bootstrap token. @throws {Error} if it fails */
  async ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    return askForJson<T>(this.url + path, { method, token: await this.token(), body });
  }

  /** Registers a Client. */
  async register(overrides: Readonly<Record<string, unknown>> = {}): Promise<RegisteredClient> {
    const body = { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'], ...overrides };
    const client = await this.ask<RegisteredClient>('POST', '/client', body);
    recordSecrets(client.client_secret);
    return client;
  }

  /** Creates an API token valid for a day. */
  async mint(scopes: readonly string[]): Promise<{ readonly id: string; readonly token: string }> {
    const body = { name: 'tests', scopes, expires_in: '1 d' };
    const made = await this.ask<{ id: string; token: string }>('POST', '/token', body);
    recordSecrets(made.token);
    return made;
  }
}
