import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordSecrets } from '@svc/test-servers';
import { type Ended, runSvccmd } from '../shell/run-svccmd.js';
import { type RunningServer, startServer } from './running-server.js';

const FULL = 'a-token-for-this-test-0123456789';
const CONFIG_TOKEN = 'a-token-of-the-configuration-0123456789';

/** The rows of every lookup. */
export const CSV = 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot\n';

/** Every kind of token, by the words that create it: for the library `parsers` and the lookup `sites`, or for all. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  passwords: ['--scope', 'passwords:encrypt'],
  metrics: ['--scope', 'metrics:read'],
  'library reader': ['--scope', 'library:read', '--library', 'parsers'],
  'library writer': ['--scope', 'library:write', '--library', 'parsers'],
  'reader of all libraries': ['--scope', 'library:read', '--all-libraries'],
  'writer of all libraries': ['--scope', 'library:write', '--all-libraries'],
  'lookup reader': ['--scope', 'iplookup:read', '--lookup', 'sites'],
  'lookup writer': ['--scope', 'iplookup:write', '--lookup', 'sites'],
  'reader of all lookups': ['--scope', 'iplookup:read', '--all-lookups'],
  'writer of all lookups': ['--scope', 'iplookup:write', '--all-lookups'],
};

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A server with two named libraries and the unnamed one, two lookups with a former version, and a token of each kind. */
export class TokenServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'svccmd-rights-'));
  /** By kind; `http` and `configured` are those of the configuration. */
  readonly tokens = new Map([
    ['http', FULL],
    ['configured', CONFIG_TOKEN],
  ]);
  private running: RunningServer | undefined;

  static async start(): Promise<TokenServer> {
    const server = new TokenServer();
    await server.prepare();
    await server.run();
    return server;
  }

  get url(): string {
    return this.running!.url;
  }

  /** Lines that were logged so far. */
  get log(): string {
    return this.running!.output();
  }

  async run(): Promise<void> {
    this.running = await startServer(this.folder, { SVCCMD_HTTP_TOKEN: FULL });
  }

  async stop(): Promise<void> {
    await this.running!.stop();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  async svccmd(...words: string[]): Promise<Ended> {
    return runSvccmd(words, { cwd: this.folder });
  }

  async createToken(name: string, words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.svccmd('--quiet', 'token', 'create', name, ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    recordSecrets(stdout.trim());
    return stdout.trim();
  }

  /** @param kind of the token */
  async send(kind: string, method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      ...init,
      headers: { authorization: `Bearer ${this.tokens.get(kind)}`, ...init.headers },
    });
    return { status: response.status, text: await response.text() };
  }

  private async prepare(): Promise<void> {
    const { folder } = this;
    for (const path of ['library', 'in', 'lookups']) mkdirSync(join(folder, path));
    writeFileSync(join(folder, 'library', 'a.yaml'), 'x: 1\n');
    for (const name of ['sites', 'other']) writeFileSync(join(folder, 'in', `${name}.csv`), CSV);
    writeFileSync(join(folder, 'password.key'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
    writeFileSync(join(folder, 'svccmd.conf'), configuration(folder));
    for (const name of ['sites', 'other'])
      for (let build = 0; build < 2; build++)
        expect((await this.svccmd('iplookup', 'from-csv', `${name}.csv`, '-i', 'ipv4')).code).toBe(0);
    const kinds = Object.entries(KINDS).map(async ([kind, words], index) => {
      this.tokens.set(kind, await this.createToken(`kind-${index}`, words));
    });
    await Promise.all(kinds);
  }
}

function configuration(folder: string): string {
  const library = (name: string) => `[library:${name}]\nsource.path = library\ndestination.path = /${name}\n`;
  return `[pwdencryptor]
key = password.key
[source]
path = library
[destination]
urls = file://${folder}/stored
[iplookup]
source_path = in
destination_path = lookups
${library('parsers')}${library('other')}[token:ci]
token = ${CONFIG_TOKEN}
scopes = library:read, iplookup:read
libraries = parsers
`;
}

/** Waits until the condition holds, at most 20 s. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await isSo()) && performance.now() < end) await sleep(50);
}
