import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listeningAddress, recordLog, recordSecrets } from '@svc/test-servers';
import { startSvccmd } from '../shell/run-svccmd.js';

/** A `svccmd serve` that listens. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** Both streams so far: the log, and what is printed before there is one. */
  readonly output: () => string;
  /** Sends SIGTERM and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built server on a free port of 127.0.0.1, on the configuration in `cwd`. */
export async function startServer(cwd: string, env: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
  const child = startSvccmd(['serve'], { cwd, env: { SVCCMD_HTTP_PORT: '0', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = await listeningAddress(child);
  recordSecrets(
    env['SVCCMD_HTTP_TOKEN'] ?? (await readFile(join(cwd, 'svccmd.token'), 'utf8').catch(() => '')).trim(),
  );
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    url,
    pid: child.pid!,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = await closed;
      recordLog(output);
      return code;
    },
  };
}
