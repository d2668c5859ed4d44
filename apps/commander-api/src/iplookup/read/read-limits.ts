import { CommanderError } from '../../errors/commander-error.js';

/** Limits of a request that reads whole lookups. */
export const READ_LIMITS = {
  /** Requests at the same time: each holds its lookups in memory. */
  concurrent: 2,
  /** How long one may take, in milliseconds. */
  deadlineMs: 2 * 60 * 1000,
  /** How long a dump may take: its caller may be slow. */
  dumpMs: 15 * 60 * 1000,
  graceMs: 100,
  /** JavaScript heap in MiB, without the lookups. */
  heapMb: 512,
} as const;

/** Admits a few readers at a time. */
export class ReadSlots {
  private taken = 0;

  /**
   * @returns a function that gives the slot back
   * @throws {CommanderError} if all are taken
   */
  take(): () => void {
    if (this.taken >= READ_LIMITS.concurrent) {
      throw new CommanderError('too_many_reads', `${this.taken} lookups are already being read.`);
    }
    this.taken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.taken--;
      isTaken = false;
    };
  }
}
