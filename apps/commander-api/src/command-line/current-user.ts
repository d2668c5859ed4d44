import { hostname, userInfo } from 'node:os';

/** The name of the user who runs this process, for records of who did something. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In containers, the user may have no entry in /etc/passwd.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** `root@host, process 12`: shown as the holder of a lock and in the history. */
export function describeProcess(): string {
  return `${currentUser()}@${hostname()}, process ${process.pid}`;
}
