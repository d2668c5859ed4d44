/** Times without a successful write that are too short to matter. */
const SHORT_MS = 100;

/** A moment (`performance.now()`) since which the registry says that it is ready, or that it is not. */
interface Readiness {
  readonly at: number;
  readonly isReady: boolean;
}

/** When requests were answered. All times are those of `performance.now()`, in milliseconds. */
export class Timeline {
  private readonly written: number[] = [];
  private readonly failed: number[] = [];
  private readonly read: number[] = [];
  private readonly readiness: Readiness[] = [];

  note(what: 'written' | 'failed' | 'read'): void {
    this[what].push(performance.now());
  }

  noteReadiness(isReady: boolean): void {
    this.readiness.push({ at: performance.now(), isReady });
  }

  /** Writes that failed, each time that they were tried. */
  get failures(): number {
    return this.failed.length;
  }

  /** The longest time without a write that succeeded. */
  get writeGapMs(): number {
    return Math.max(0, ...gapsOf(this.written).map(([from, to]) => to - from));
  }

  get readGapMs(): number {
    return Math.max(0, ...gapsOf(this.read).map(([from, to]) => to - from));
  }

  /** From this moment until the next write succeeded. */
  untilWritten(moment: number): number {
    return (this.written.find((at) => at > moment) ?? Infinity) - moment;
  }

  /** The longest time for which the registry said that it was ready while writes failed and none succeeded. */
  get wronglyReadyMs(): number {
    const gaps = gapsOf(this.written).filter(([from, to]) => to - from > SHORT_MS);
    const spans = gaps.map(([from, to]) => {
      const firstFailure = this.failed.find((at) => at > from && at < to);
      return firstFailure === undefined ? 0 : this.longestReady(firstFailure, to);
    });
    return Math.max(0, ...spans);
  }

  private longestReady(from: number, to: number): number {
    const before = this.readiness.filter(({ at }) => at <= from).slice(-1);
    const within = this.readiness.filter(({ at }) => at > from && at < to);
    let [longest, since] = [0, Infinity];
    for (const { at, isReady } of [...before, ...within, { at: to, isReady: false }]) {
      longest = Math.max(longest, at - since);
      since = isReady ? Math.min(since, Math.max(at, from)) : Infinity;
    }
    return longest;
  }
}

function gapsOf(moments: readonly number[]): [from: number, to: number][] {
  return moments.slice(1).map((to, index) => [moments[index]!, to]);
}
