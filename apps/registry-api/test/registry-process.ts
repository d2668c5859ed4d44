import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listeningAddress, placeEmbeddedDatabase, recordLog } from '@svc/test-servers';
import { type Answer, ask, type Sent } from './running-registry.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The embedded database's WebAssembly runs for seconds here: code that is compiled soon serves better than fast code. */
const COMPILE_SOON = ['--liftoff-only', '--wasm-lazy-compilation'];

/** The built program, run to its end. */
export async function runProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ status: number | null; output: string; errors: string }> {
  const child = start(words, environment);
  const [output, errors] = [collect(child, 'stdout'), collect(child, 'stderr')];
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output: output(), errors: errors() };
}

/** What the program reads; `DATA_DIR` keeps it away from the developer's own. */
export type ProcessEnvironment = { readonly DATA_DIR: string } & Readonly<Record<string, string>>;

/** The built program as a server. */
export class RegistryProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly environment: ProcessEnvironment,
    /** Everything written on standard output and standard error. */
    readonly printed: () => string,
    private readonly closed: Promise<number | null>,
  ) {}

  /** Resolves once it listens. @throws {Error} with all it printed when it ends instead */
  static async start(environment: ProcessEnvironment): Promise<RegistryProcess> {
    if (environment['DATABASE_URL'] === undefined) await placeEmbeddedDatabase(environment.DATA_DIR);
    const child = start([], { PORT: '0', ...environment });
    const closed = once(child, 'close').then(([status]) => status as number | null);
    const [output, errors] = [collect(child, 'stdout'), collect(child, 'stderr')];
    const printed = () => output() + errors();
    const url = await listeningAddress(child);
    return new RegistryProcess(url, child, environment, printed, closed);
  }

  async token(): Promise<string> {
    const { BOOTSTRAP_TOKEN, DATA_DIR } = this.environment;
    return BOOTSTRAP_TOKEN ?? (await readFile(join(DATA_DIR, 'bootstrap-token'), 'utf8')).trim();
  }

  async ask(method: string, path: string, sent?: Sent): Promise<Answer> {
    return ask(this.url + path, method, await this.token(), sent);
  }

  /** Resident memory in bytes (on Linux). */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** @returns its exit status; null when the signal ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    const status = await this.closed;
    recordLog(this.printed());
    return status;
  }
}

function start(words: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [...COMPILE_SOON, MAIN, ...words], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
