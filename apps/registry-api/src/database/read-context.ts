import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How old the data of a read may be: as old as a page that was loaded a moment ago; young enough to decide about
 * credentials; or as the primary has it.
 */
export type Freshness = 'recent' | 'credentials' | 'current';

/** What the reads of one request must see. Times are those of `performance.now()`. */
export class ReadContext {
  /** Everything that was committed before must be seen. */
  notBefore = 0;
  /** The caller's last change, which must be seen unless the primary is away. */
  lastWrite = 0;
  /** The oldest data that was read from a standby; undefined: none was. */
  asOf: number | undefined;

  /**
   * @param freshness may depend on the caller, and changes once that is known
   * @param leastChange the number of a change that must be seen
   */
  constructor(
    public freshness: Freshness,
    readonly leastChange = 0,
  ) {}

  /** Whether there is something that its reads must see. */
  get hasNeeds(): boolean {
    return this.notBefore > 0 || this.lastWrite > 0 || this.leastChange > 0;
  }

  /** Later reads of the request must not see an older state, since its parts would contradict each other. */
  hasSeen(asOf: number): void {
    this.notBefore = Math.max(this.notBefore, asOf);
  }

  hasReadStandby(asOf: number): void {
    this.hasSeen(asOf);
    this.asOf = Math.min(this.asOf ?? asOf, asOf);
  }
}

/** The context of the current request; where there is none, everything is read from the primary. */
export const readContext = new AsyncLocalStorage<ReadContext>();
