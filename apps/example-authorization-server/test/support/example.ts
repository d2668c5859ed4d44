import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { recordLog } from '@svc/test-servers';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The built example in its own process, on a given registry. */
export class Example {
  private constructor(
    private readonly child: ChildProcess,
    /** Its whole output. */
    readonly printed: () => string,
    /** The authorization server's address. */
    readonly server: string,
    readonly application: string,
  ) {}

  static async start(url: string, serverToken: string, initialAccessToken: string): Promise<Example> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        REGISTRY_URL: url,
        REGISTRY_TOKEN: serverToken,
        INITIAL_ACCESS_TOKEN: initialAccessToken,
        AUTHORIZATION_SERVER_PORT: '0',
        APPLICATION_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = collect(child);
    await untilPrinted(child, printed, /Ctrl-C stops all/);
    const [, application = ''] = /^application +(\S+)/m.exec(printed()) ?? [];
    const [, server = ''] = /^authorization server +(\S+)/m.exec(printed()) ?? [];
    return new Example(child, printed, server, application);
  }

  /** Resolves once its output matches this many times. */
  async says(pattern: RegExp, times = 1): Promise<void> {
    const all = new RegExp(pattern.source, 'g');
    while ([...this.printed().matchAll(all)].length < times) await once(this.child.stderr!, 'data');
  }

  /** @returns its exit status; null when the signal ended it */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    const [status] = (await once(this.child, 'close')) as [number | null];
    recordLog(this.printed());
    return status;
  }
}

/** Collects a process's output from both streams. */
export function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  return () => text;
}

/** @throws {Error} with its output if it exits first */
export async function untilPrinted(
  child: ChildProcess,
  printed: () => string,
  pattern: RegExp,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const look = (): void => void (pattern.test(printed()) && resolve());
    child.stdout?.on('data', look);
    child.once('close', () => reject(new Error(`it ended: ${printed()}`)));
  });
}
