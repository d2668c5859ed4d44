import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from '../http/listening.js';

const MAIN = fileURLToPath(new URL('../../../registry-api/dist/main.js', import.meta.url));

/** The settings the example needs. */
const SETTINGS = {
  REGISTRATION: 'token',
  TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic',
  LOG_LEVEL: 'info',
};

/** A registry for the example. */
export interface ExampleRegistry {
  readonly url: string;
  /** Contains a token with all scopes, readable only by its owner. */
  readonly tokenFile: string;
  /** For the authorization server: `clients:follow`, `clients:check`. */
  readonly serverToken: string;
  /** For developers: `clients:register`. */
  readonly initialAccessToken: string;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** Starts a built registry on an embedded database in a temporary folder. @param port 0 for any free port */
export async function startExampleRegistry(port: number): Promise<ExampleRegistry> {
  // The registry's own error would refer to its PORT variable.
  await (await listen(port, 'REGISTRY_PORT')).stop();
  const folder = await mkdtemp(join(tmpdir(), 'example-registry-'));
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], ...SETTINGS, DATA_DIR: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // So that Ctrl-C reaches only the example, which stops the registry last.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await addressOf(child);
    const tokenFile = join(folder, 'bootstrap-token');
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const serverToken = await mintToken(url, token, 'authorization server', [
      'clients:follow',
      'clients:check',
    ]);
    const initialAccessToken = await mintToken(url, token, 'developers', ['clients:register']);
    return { url, tokenFile, serverToken, initialAccessToken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-65_536);
      const [, url] = /"url":"([^"]+)"/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the registry ended: ${printed}`)));
  });
}

/** Creates an API token with minimal scopes. @returns its value, which the registry does not show again */
async function mintToken(
  registryUrl: string,
  token: string,
  name: string,
  scopes: readonly string[],
): Promise<string> {
  const answer = await fetch(`${registryUrl}/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, scopes, expires_in: '1 d' }),
  });
  if (!answer.ok) throw new Error(`POST /token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly token: string }).token;
}
