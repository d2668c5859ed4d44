import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askForJson, listeningAddress, SharedPostgres } from '@svc/test-servers';

const MAIN = fileURLToPath(new URL('../../../registry-api/dist/main.js', import.meta.url));

/** All optional values. */
const EXTENDED = {
  APPLICATION_TYPES: 'native',
  GRANT_TYPES: 'refresh_token client_credentials',
  TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic client_secret_post',
};

/** The built registry as a separate process, on a real PostgreSQL. */
export class Registry {
  private constructor(
    readonly url: string,
    readonly token: string,
    private readonly child: ChildProcess,
    private readonly postgres: SharedPostgres,
    private readonly dataDir: string,
  ) {}

  /** @param environment variables that extend or override the defaults */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<Registry> {
    const postgres = new SharedPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'registry-ui-'));
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: await postgres.createRegistryDatabase(),
        DATA_DIR: dataDir,
        PORT: '0',
        ...EXTENDED,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await listeningAddress(child);
    const token = (await readFile(join(dataDir, 'bootstrap-token'), 'utf8')).trim();
    return new Registry(url, token, child, postgres, dataDir);
  }

  /** Calls the HTTP API with the bootstrap token. @throws {Error} for error responses */
  async ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    return askForJson<T>(this.url + path, { method, token: this.token, body });
  }

  /** Registers a client. @returns its client_id */
  async register(overrides: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const body = { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'], ...overrides };
    const { client_id } = await this.ask<{ client_id: string }>('POST', '/client', body);
    return client_id;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await once(this.child, 'close');
    await this.postgres.dropDatabases();
    await rm(this.dataDir, { recursive: true });
  }
}
