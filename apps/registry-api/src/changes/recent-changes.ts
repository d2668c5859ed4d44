import { type ChangePosition, isSamePosition, parsePosition } from '../clients/change-position.js';
import type { FeedChange } from './change.dto.js';

/** A change as sent to every stream. */
export interface EncodedChange {
  readonly position: ChangePosition;
  readonly bytes: Buffer;
}

/** An event of `text/event-stream` (WHATWG HTML section 9.2). JSON contains no line breaks. */
export function encodeChange(change: FeedChange): EncodedChange {
  const bytes = Buffer.from(`id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`);
  return { position: parsePosition(change.cursor)!, bytes };
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
    private base: ChangePosition,
    public position = base,
    private readonly limits = LIMITS,
  ) {}

  /** @param changes those that follow the known ones */
  add(changes: readonly EncodedChange[]): void {
    for (const change of changes) {
      this.kept.push(change);
      this.bytes += change.bytes.length;
      this.position = change.position;
    }
    while (this.kept.length > this.limits.changes || this.bytes > this.limits.bytes) this.dropOldest();
  }

  /** The changes after a known one; undefined when it is not known here. */
  after(position: ChangePosition): readonly EncodedChange[] | undefined {
    if (isSamePosition(position, this.base)) return this.kept;
    const index = this.kept.findLastIndex((change) => isSamePosition(change.position, position));
    return index < 0 ? undefined : this.kept.slice(index + 1);
  }

  private dropOldest(): void {
    const oldest = this.kept.shift();
    if (!oldest) return;
    this.bytes -= oldest.bytes.length;
    this.base = oldest.position;
  }
}
