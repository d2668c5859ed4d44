import { getPriority, setPriority } from 'node:os';

/** The highest nice value. */
const NICEST = 19;

/**
 * Lets other threads go first while the calling one computes. On Linux, each thread has a nice value; elsewhere only the process
 * has one, which stays as it is.
 *
 * @param by added to the thread's nice value: only root may go below the one that an operator chose
 */
export function lowerThreadPriority(by: number): void {
  if (process.platform === 'linux') setPriority(Math.min(NICEST, getPriority() + by));
}
