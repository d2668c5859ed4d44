import type { FeedChange } from './change.dto.js';

/** A change as sent to every stream. */
export interface EncodedChange {
  readonly seq: number;
  readonly bytes: Buffer;
}

/** An event of `text/event-stream` (WHATWG HTML section 9.2). JSON contains no line breaks. */
export function encodeChange(change: FeedChange): EncodedChange {
  return { seq: change.seq, bytes: Buffer.from(`id: ${change.seq}\ndata: ${JSON.stringify(change)}\n\n`) };
}

/** Bounds of what is kept for streams that lag slightly behind. */
export interface RecentLimits {
  readonly changes: number;
  readonly bytes: number;
}

const LIMITS: RecentLimits = { changes: 1_000, bytes: 4 * 1024 * 1024 };

/** The latest changes, encoded once for all streams. Older ones must be read from the database. */
export class RecentChanges {
  private readonly kept: EncodedChange[] = [];
  private bytes = 0;

  /**
   * @param base changes after this one are kept
   * @param position the last known change; initially none after `base`
   */
  constructor(
    private base: number,
    public position = base,
    private readonly limits = LIMITS,
  ) {}

  /** @param changes those that follow the known ones */
  add(changes: readonly EncodedChange[]): void {
    for (const change of changes) {
      this.kept.push(change);
      this.bytes += change.bytes.length;
      this.position = change.seq;
    }
    while (this.kept.length > this.limits.changes || this.bytes > this.limits.bytes) this.dropOldest();
  }

  /** Whether every change after `seq` is in memory. */
  covers(seq: number): boolean {
    return seq >= this.base;
  }

  /** The changes after `seq`, which must be covered. */
  after(seq: number): readonly EncodedChange[] {
    if (seq >= this.position) return [];
    return this.kept.slice(this.kept.findLastIndex((change) => change.seq <= seq) + 1);
  }

  private dropOldest(): void {
    const oldest = this.kept.shift();
    if (!oldest) return;
    this.bytes -= oldest.bytes.length;
    this.base = oldest.seq;
  }
}
