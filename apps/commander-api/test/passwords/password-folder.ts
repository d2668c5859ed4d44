import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@svc/foundation/config';
import { runInProcess } from '../shell/run-in-process.js';
import type { Ended } from '../shell/run-svccmd.js';

/** A folder with a key and a configuration that names it. */
export interface PasswordFolder {
  readonly path: string;
  /** Runs svccmd in the folder, in this process. */
  svccmd(args: readonly string[], input?: string | Uint8Array, env?: Environment): Promise<Ended>;
  /** Writes a file that only its owner reads. */
  write(name: string, text: string): void;
  read(name: string): string;
}

export async function makePasswordFolder(): Promise<PasswordFolder> {
  const path = mkdtempSync(join(tmpdir(), 'svccmd-passwords-'));
  const folder: PasswordFolder = {
    path,
    svccmd: (args, input = '', env = {}) => runInProcess(args, { cwd: path, input, env }),
    write: (name, text) => writeFileSync(join(path, name), text, { mode: 0o600 }),
    read: (name) => readFileSync(join(path, name), 'utf8'),
  };
  folder.write('svccmd.conf', '[pwdencryptor]\nkey = password.key\n');
  expect((await folder.svccmd(['keygen', 'password.key'])).code).toBe(0);
  return folder;
}
