import type { Capabilities } from '@svc/client-metadata';
import { type ChangePosition, isSamePosition } from '../clients/change-position.js';
import { type FeedChangeRow, showsClient, toFeedChange } from './change.dto.js';
import { positionOf } from './change-reader.js';
import { type FeedView, FULL_VIEW, seesChange } from './feed-view.js';

/** A change as it is sent to streams. */
export interface EncodedChange {
  readonly position: ChangePosition;
  /** In bytes, for a reader that sees everything. */
  readonly size: number;
  /** Empty if the reader does not see it. */
  bytesFor(view: FeedView): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Encodes a change once for all streams that see the same of it. */
export function encodeChange(row: FeedChangeRow, capabilities: Capabilities): EncodedChange {
  const forms = new Map<string, Buffer>();
  const bytesFor = (view: FeedView): Buffer => {
    if (!seesChange(view.selector, row)) return NOTHING;
    const form = `${showsClient(row, view)} ${view.seesActors}`;
    const known = forms.get(form);
    if (known) return known;
    const change = toFeedChange(row, capabilities, view);
    // An event of `text/event-stream` (WHATWG HTML section 9.2). JSON contains no line breaks.
    const bytes = Buffer.from(`id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`);
    forms.set(form, bytes);
    return bytes;
  };
  const position = positionOf(row);
  return { position, size: bytesFor(FULL_VIEW).length, bytesFor };
}

/** A place in the feed up to which there is nothing to send. */
export function silentUpTo(position: ChangePosition): EncodedChange {
  return { position, size: 0, bytesFor: () => NOTHING };
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
      this.bytes += change.size;
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
    this.bytes -= oldest.size;
    this.base = oldest.position;
  }
}
