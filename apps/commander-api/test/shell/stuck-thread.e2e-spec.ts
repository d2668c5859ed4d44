import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
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
  // Nobody writes into the pipe, so that it waits for its opening; signals before it runs end it the usual way.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(ended).toBe(false);
  child.kill('SIGTERM');
  expect(await closed).toEqual([null, 'SIGTERM']);
});
