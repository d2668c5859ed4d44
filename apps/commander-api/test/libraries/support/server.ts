import { once } from 'node:events';
import { listeningAddress, recordLog } from '@svc/test-servers';
import { startSvccmd } from './svccmd.js';

const TOKEN = 'a-token-for-tests-0123456789-0123456789';

/** A running `svccmd serve`. */
export interface Server {
  readonly url: string;
  readonly token: string;
  /** Everything it logged. */
  readonly log: () => string;
  fetch(path: string, options?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts the built server on a free port, with a token that `fetch` sends. */
export async function startServer(
  environment: NodeJS.ProcessEnv,
  words: readonly string[] = ['serve'],
): Promise<Server> {
  const child = startSvccmd(words, {
    SVCCMD_HTTP_ADDRESS: '127.0.0.1',
    SVCCMD_HTTP_PORT: '0',
    SVCCMD_HTTP_TOKEN: TOKEN,
    ...environment,
  });
  const closed = once(child, 'close');
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const url = await listeningAddress(child);
  return {
    url,
    token: TOKEN,
    log: () => log,
    fetch: (path, options = {}) =>
      fetch(url + path, { ...options, headers: { authorization: `Bearer ${TOKEN}`, ...options.headers } }),
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
      recordLog(log);
    },
  };
}
