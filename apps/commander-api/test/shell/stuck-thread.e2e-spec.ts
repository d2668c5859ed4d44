import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSvccmd } from './run-svccmd.js';

/** Whether the system holds a thread that opens a pipe without a writer. */
function waitsForWriter(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).some(
    (id) => readFileSync(`${threads}/${id}/wchan`, 'utf8') === 'wait_for_partner',
  );
}

test('a second signal ends it although the system holds one of its threads', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'svccmd-stuck-'));
  execFileSync('mkfifo', [join(cwd, 'key')]);
  const child = startSvccmd(['encpwd', '--key-file', 'key'], { cwd });
  child.stdin.end('secret');
  let ended = false;
  const closed = once(child, 'close').finally(() => (ended = true));
  // Signals before that end the process the usual way.
  while (!waitsForWriter(child.pid!)) await sleep(20);
  child.kill('SIGTERM');
  await sleep(500);
  expect(ended).toBe(false);
  child.kill('SIGTERM');
  expect(await closed).toEqual([null, 'SIGTERM']);
  rmSync(cwd, { recursive: true });
});
