import { Readable } from 'node:stream';
import { hasErrorCode } from '../errors/registry-error.js';
import type { ChangeFeed, Follower } from './change-feed.js';
import type { EncodedChange } from './encode-change.js';
import type { StreamToken } from './stream-access.js';

/** What waits for a slow reader here at most, in bytes, but for one change. */
const MAX_WAITING_BYTES = 64 * 1024;

/** Whoever takes nothing for so long, in milliseconds, is dropped; the next connection goes on where this one ended. */
const STALLED_MS = 30_000;

/** Milliseconds after which a reader connects again, spread so that not all come at once. */
const RECONNECT_MS = { least: 1_000, spread: 2_000 };

const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

/**
 * The changes after a certain one without end, as `text/event-stream`. Nothing is queued for a reader: it takes the next
 * changes when it has room for them, from those at hand, or from the database when it has fallen behind.
 */
export class ChangeStream extends Readable implements Follower {
  /** Whether the reader has room. */
  private isWanted = false;
  private isReading = false;
  private isFinished = false;
  private takenAt = Date.now();
  private position = 0;

  /** @param token the bearer token the reader came with; the stream ends with it */
  constructor(
    private readonly feed: Pick<ChangeFeed, 'recentAfter' | 'readAfter'>,
    readonly token: StreamToken,
  ) {
    super({ highWaterMark: MAX_WAITING_BYTES });
  }

  /** @param position the last change the reader knows */
  begin(position: number): this {
    this.position = position;
    const retry = RECONNECT_MS.least + Math.floor(Math.random() * RECONNECT_MS.spread);
    // An event without data is not shown, but sets the reader's last event id.
    this.push(`retry: ${retry}\nid: ${position}\n\n`);
    return this;
  }

  override _read(): void {
    this.isWanted = true;
    this.takenAt = Date.now();
    this.advance();
  }

  advance(): void {
    if (!this.isWanted || this.isReading || this.isFinished) return;
    const recent = this.feed.recentAfter(this.position);
    if (recent) this.give(recent);
    else void this.catchUp();
  }

  /** Shows both sides, and proxies between, that the other one is there. */
  beat(): void {
    if (this.isWanted && !this.isReading) this.give([{ seq: this.position, bytes: KEEP_ALIVE }]);
    else if (!this.isReading && Date.now() - this.takenAt > STALLED_MS) this.destroy();
  }

  /** What the reader has not taken by now, it gets with its next connection. */
  finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    if (this.isWanted) this.push(null);
    else this.destroy();
  }

  private async catchUp(): Promise<void> {
    this.isReading = true;
    try {
      const changes = await this.feed.readAfter(this.position);
      this.isReading = false;
      this.give(changes);
    } catch (error) {
      this.isReading = false;
      // While the database is away the stream waits; whoever looks after it calls `advance` again.
      if (hasErrorCode(error, 'changes_gone')) this.finish();
    }
  }

  private give(changes: readonly EncodedChange[]): void {
    const fitting = thatFit(changes);
    const last = fitting.at(-1);
    if (!last || this.isFinished || this.destroyed) return;
    this.position = last.seq;
    this.isWanted = false;
    this.push(fitting.length === 1 ? last.bytes : Buffer.concat(fitting.map(({ bytes }) => bytes)));
  }
}

/** The first one in any case. */
function thatFit(changes: readonly EncodedChange[]): readonly EncodedChange[] {
  let size = 0;
  const end = changes.findIndex(
    ({ bytes }, index) => (size += bytes.length) > MAX_WAITING_BYTES && index > 0,
  );
  return end < 0 ? changes : changes.slice(0, end);
}
