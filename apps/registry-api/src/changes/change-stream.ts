import { Readable } from 'node:stream';
import { type ChangePosition, formatPosition } from '../clients/change-position.js';
import { selectsAll } from '@svc/client-metadata';
import { hasErrorCode } from '../errors/registry-error.js';
import type { ChangeFeed, Follower } from './change-feed.js';
import type { FeedView } from './feed-view.js';
import type { EncodedChange } from './recent-changes.js';
import type { StreamToken } from './stream-access.js';

/** Buffered for a slow reader, unless a single change is larger. */
const MAX_WAITING_BYTES = 64 * 1024;

/** A reader that reads nothing for this long is disconnected; its next connection continues where this one ended. */
const STALLED_MS = 30_000;

/** After which a reader reconnects; spread, so that not all do at the same time. */
const RECONNECT_MS = { least: 1_000, spread: 2_000 };

const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

/**
 * All changes after a given one, present and future, as `text/event-stream`. Nothing is queued for a reader: once its
 * buffer has room, the next changes come from memory, or from the database when it lags behind.
 */
export class ChangeStream extends Readable implements Follower {
  /** Whether the buffer has room. */
  private isWanted = false;
  private isReading = false;
  private isFinished = false;
  private takenAt = performance.now();
  private position: ChangePosition = { seq: 0, mark: '' };

  /** @param token the reader's bearer token; the stream ends with it */
  constructor(
    private readonly feed: Pick<ChangeFeed, 'recentAfter' | 'readAfter'>,
    readonly token: StreamToken,
    private readonly view: FeedView,
  ) {
    super({ highWaterMark: MAX_WAITING_BYTES });
  }

  /** @param position the last change that the reader has seen */
  begin(position: ChangePosition): this {
    this.position = position;
    const retry = RECONNECT_MS.least + Math.floor(Math.random() * RECONNECT_MS.spread);
    // Readers ignore an event without data, but remember its id.
    this.push(`retry: ${retry}\nid: ${formatPosition(position)}\n\n`);
    return this;
  }

  override _read(): void {
    this.isWanted = true;
    this.takenAt = performance.now();
    this.advance();
  }

  advance(): void {
    if (!this.isWanted || this.isReading || this.hasEnded) return;
    const recent = this.feed.recentAfter(this.position);
    if (recent) this.give(recent);
    else void this.catchUp();
  }

  /** Keeps the connection alive for the reader and for proxies in between. */
  beat(): void {
    if (this.isWanted && !this.isReading) this.send([KEEP_ALIVE, this.place()]);
    else if (!this.isReading && performance.now() - this.takenAt > STALLED_MS) this.destroy();
  }

  /** Changes that the reader has not received yet follow on its next connection. */
  finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    if (this.isWanted) this.push(null);
    else this.destroy();
  }

  private get hasEnded(): boolean {
    return this.isFinished || this.destroyed;
  }

  private async catchUp(): Promise<void> {
    this.isReading = true;
    try {
      const changes = await this.feed.readAfter(this.position, this.view);
      this.isReading = false;
      this.give(changes);
      // Nothing was sent: the reader sees none of these.
      if (changes.length > 0) this.advance();
    } catch (error) {
      this.isReading = false;
      // During an outage of the database the stream waits until `advance` is called again.
      if (hasErrorCode(error, 'changes_gone')) this.finish();
    }
  }

  private give(changes: readonly EncodedChange[]): void {
    const { parts, last } = takeFitting(changes, this.view);
    if (!last || this.hasEnded) return;
    this.position = last.position;
    if (parts.length > 0) this.send(parts);
  }

  private send(parts: readonly Buffer[]): void {
    if (this.hasEnded) return;
    const [only = NOTHING] = parts;
    this.isWanted = false;
    this.push(parts.length === 1 ? only : Buffer.concat(parts));
  }

  /** Lets a reader that sees few changes continue here when it reconnects. */
  private place(): Buffer {
    return selectsAll(this.view.selector) ? NOTHING : Buffer.from(`id: ${formatPosition(this.position)}\n\n`);
  }
}

const NOTHING = Buffer.alloc(0);

/** As many changes as fit, at least one; `parts` omits what the reader does not see. */
function takeFitting(
  changes: readonly EncodedChange[],
  view: FeedView,
): { readonly parts: readonly Buffer[]; readonly last: EncodedChange | undefined } {
  const parts: Buffer[] = [];
  let size = 0;
  let last: EncodedChange | undefined;
  for (const change of changes) {
    const bytes = change.bytesFor(view);
    size += bytes.length;
    if (size > MAX_WAITING_BYTES && last) break;
    if (bytes.length > 0) parts.push(bytes);
    last = change;
  }
  return { parts, last };
}
