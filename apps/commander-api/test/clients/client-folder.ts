import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInProcess } from '../shell/run-in-process.js';
import type { Ended } from '../shell/run-svccmd.js';
import type { RunningRegistry } from './registry-process.js';

/** A folder of declarations, and svccmd configured for a registry. */
export interface ClientFolder {
  readonly path: string;
  /** What configures svccmd. */
  readonly env: NodeJS.ProcessEnv;
  write(name: string, text: string): void;
  read(name: string): string;
  /** Runs `svccmd client ...` in the folder, in this process. */
  run(args: readonly string[], input?: string, env?: NodeJS.ProcessEnv): Promise<Ended>;
  remove(): void;
}

export function makeClientFolder({ url, token }: Pick<RunningRegistry, 'url' | 'token'>): ClientFolder {
  const path = mkdtempSync(join(tmpdir(), 'svccmd-clients-'));
  const environment = { SVCCMD_REGISTRY_URL: url, SVCCMD_REGISTRY_TOKEN: token };
  return {
    path,
    env: environment,
    write: (name, text) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
    run: async (args, input = '', env = {}) =>
      runInProcess(['client', ...args], { cwd: path, input, env: { ...environment, ...env } }),
    remove: () => rmSync(path, { recursive: true }),
  };
}

/** A declaration in YAML. */
export const declaration = (id: string, more = ''): string =>
  `client_id: ${id}\nclient_name: The ${id}\nredirect_uris:\n  - https://${id}.example.com/cb\ncode_challenge_method: S256\n${more}`;
