import { MAX_STALENESS_MS } from './client-cache.js';

/** The registry's positions; anything else cannot be sent in a header. */
const POSITION = /^[\x21-\x7e]{1,64}$/;

/**
 * The last change that the feed reported. A registry that reads from standbys may lag behind its own feed by up to a second,
 * so reads within that time must require the change. Later reads see it anyway; requiring it could only delay them.
 */
export class ReportedChange {
  private position: string | undefined;
  private reportedAt = 0;

  /** @param now a monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @param position undefined if unknown */
  note(position: string | undefined): void {
    this.position = position !== undefined && POSITION.test(position) ? position : undefined;
    this.reportedAt = this.now();
  }

  /** The change that a read that begins now must see, if any. */
  get needed(): string | undefined {
    return this.now() - this.reportedAt < MAX_STALENESS_MS ? this.position : undefined;
  }
}
