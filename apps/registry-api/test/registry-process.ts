import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Answer, ask, type Sent } from './running-registry.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

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

/** The built program as a server. */
export class RegistryProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly dataDir: string,
    /** Everything written on standard output and standard error. */
    readonly said: () => string,
  ) {}

  /** Resolves once it listens. @throws {Error} with all it said when it ends instead */
  static async start(
    environment: { DATA_DIR: string } & Readonly<Record<string, string>>,
  ): Promise<RegistryProcess> {
    const child = start([], { PORT: '0', ...environment });
    const [output, errors] = [collect(child, 'stdout'), collect(child, 'stderr')];
    const said = () => output() + errors();
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', () => {
        const [, found] = /"url":"([^"]+)"/.exec(output()) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('close', () => reject(new Error(`it ended: ${said()}`)));
    });
    return new RegistryProcess(url, child, environment.DATA_DIR, said);
  }

  async token(): Promise<string> {
    return (await readFile(join(this.dataDir, 'bootstrap-token'), 'utf8')).trim();
  }

  async ask(method: string, path: string, sent?: Sent): Promise<Answer> {
    return ask(this.url + path, method, await this.token(), sent);
  }

  /** @returns its exit status; null when the signal ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    const [status] = (await once(this.child, 'close')) as [number | null];
    return status;
  }
}

function start(words: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [MAIN, ...words], {
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
