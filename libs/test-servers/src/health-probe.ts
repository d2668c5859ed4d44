import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of the clock that Linux shows to programs (USER_HZ). */
const MS_PER_TICK = 10;

/** Processor time of the thread that runs a process's event loop, in milliseconds: other programs do not add to it. */
export async function mainThreadMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * MS_PER_TICK;
}

/** The longest that a health probe waited, in milliseconds. */
export interface LongestProbe {
  /** By the clock: other programs on the machine add to it. */
  readonly waitedMs: number;
  /** The time for which the event loop's thread worked meanwhile. */
  readonly workedMs: number;
}

/** Asks a service whether it lives, again and again until the work ends. */
export async function longestProbe(url: string, pid: number, work: Promise<unknown>): Promise<LongestProbe> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  const longest = { waitedMs: 0, workedMs: 0 };
  while (!isOver) {
    const [began, before] = [performance.now(), await mainThreadMs(pid)];
    await fetch(`${url}/health/live`);
    longest.waitedMs = Math.max(longest.waitedMs, Math.round(performance.now() - began));
    longest.workedMs = Math.max(longest.workedMs, (await mainThreadMs(pid)) - before);
    await sleep(5);
  }
  return longest;
}
