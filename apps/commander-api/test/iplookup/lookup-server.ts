import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../http/running-server.js';
import { EPOCH, type LookupFolder } from './lookup-folder.js';

/** A `svccmd serve` on a folder of lookups, asked with its own token. */
export interface LookupServer {
  readonly url: string;
  readonly token: string;
  /** A request to a path below /iplookup. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** The same with a JSON body. */
  post(path: string, body: unknown): Promise<Response>;
  /** The log so far. */
  output: RunningServer['output'];
  stop: RunningServer['stop'];
}

export async function startLookupServer(
  folder: LookupFolder,
  env: NodeJS.ProcessEnv = {},
): Promise<LookupServer> {
  const { url, output, stop } = await startServer(folder.path, { SOURCE_DATE_EPOCH: EPOCH, ...env });
  const token = readFileSync(join(folder.path, 'svccmd.token'), 'utf8').trim();
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/iplookup${path}`, {
      signal: AbortSignal.timeout(30_000),
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    });
  return {
    url,
    token,
    send,
    post: (path, body) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    output,
    stop,
  };
}

/** Status and detail of a refusal. */
export async function problem(response: Promise<Response>): Promise<[status: number, detail: string]> {
  const { status, detail } = (await (await response).json()) as { status: number; detail: string };
  return [status, detail];
}
