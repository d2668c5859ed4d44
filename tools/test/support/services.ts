import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { listeningAddress, recordLog } from '@svc/test-servers';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** A built service, as a process on a free port. */
export interface RunningService {
  readonly url: string;
  /** Its whole output. */
  printed(): string;
  /** Every line of its log. */
  lines(): Record<string, unknown>[];
  /** @returns its exit status */
  stop(): Promise<number | null>;
}

/** The embedded database's WebAssembly runs only for seconds, so fast compilation matters more than fast code. */
export const COMPILE_SOON = ['--liftoff-only', '--wasm-lazy-compilation'];

/** @param environment settings; `DATA_DIR` separates it from the developer's own */
export async function startRegistry(
  environment: Environment & { readonly DATA_DIR: string },
): Promise<RunningService> {
  return startProgram(
    [...COMPILE_SOON, 'apps/registry-api/dist/main.js'],
    { PORT: '0', ...environment },
    ROOT,
  );
}

/** @param folder of its configuration and token, and base of relative paths */
export async function startCommander(folder: string, environment: Environment = {}): Promise<RunningService> {
  const program = `${ROOT}apps/commander-api/bin/svccmd.js`;
  return startProgram([program, 'serve'], { SVCCMD_HTTP_PORT: '0', ...environment }, folder);
}

/** @param words what Node.js runs */
export async function startProgram(words: readonly string[], environment: Environment, cwd: string) {
  const child = spawn(process.execPath, [...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collect(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const url = await listeningAddress(child);
  return {
    url,
    printed,
    lines: () =>
      printed()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: async () => {
      child.kill('SIGTERM');
      // Works for an exited process, too: its status is returned again.
      const [status] = await closed;
      recordLog(printed());
      return status;
    },
  };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
