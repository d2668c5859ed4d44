import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSvccmd } from './run-svccmd.js';

test('a second signal ends it although the system holds one of its threads', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'svccmd-stuck-'));
  execFileSync('mkfifo', [join(cwd, 'key')]);
  const child = startSvccmd(['encpwd', '--key-file', 'key'], { cwd });
  child.stdin.end('secret');
  let ended = false;
  const closed = once(child, 'close').finally(() => (ended = true));
  // The pipe has no writer, so opening it blocks; signals before that end the process the usual way.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(ended).toBe(false);
  child.kill('SIGTERM');
  expect(await closed).toEqual([null, 'SIGTERM']);
  rmSync(cwd, { recursive: true });
});
