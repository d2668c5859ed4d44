import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux's clock tick (USER_HZ). */
const MS_PER_TICK = 10;

/** CPU time of a process's event-loop thread, in milliseconds, unaffected by other programs. */
export async function mainThreadMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) * MS_PER_TICK;
}

/** The longest wait of a health probe, in milliseconds. */
export interface LongestProbe {
  /** Wall-clock time, which other programs affect. */
  readonly waitedMs: number;
  /** CPU time of the event-loop thread meanwhile. */
  readonly workedMs: number;
}

/** Probes a service's health continuously until the work ends. */
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
