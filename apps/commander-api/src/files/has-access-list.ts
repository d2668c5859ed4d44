import { execFile } from 'node:child_process';

/** Paths per run of `ls`. */
const BATCH = 256;

/**
 * True if one of the files, or of those that they link to, has an access control list (POSIX.1e), by the `+` that `ls -l` shows: Node has no call for it. Where
 * `ls` does not show it, as that of BusyBox, no file has one.
 */
export async function hasAccessList(paths: readonly string[]): Promise<boolean> {
  for (let start = 0; start < paths.length; start += BATCH) {
    const listed = await list(paths.slice(start, start + BATCH));
    if (/^[-bcdlps][-rwxsStT]{9}\+/m.test(listed)) return true;
  }
  return false;
}

async function list(paths: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('ls', ['-ldLq', '--', ...paths], { maxBuffer: 16 << 20 }, (_error, stdout) => resolve(stdout));
  });
}
