import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ChangeFeed } from './change-feed.js';
import { ChangeReader } from './change-reader.js';
import { ChangeStream } from './change-stream.js';
import { TooManyStreamsError } from './changes.errors.js';
import { StreamAccess } from './stream-access.js';

/** Streams open at once. */
export const MAX_STREAMS = 2_000;

/** How often tokens are looked at again, in milliseconds: a stream ends within a second after its token. */
const CHECK_MS = 400;

/** How often a stream shows that it is alive, in milliseconds; proxies close what is silent for a minute. */
const BEAT_MS = 15_000;

/** The streams that are open in this process. */
@Injectable()
export class ChangeStreams implements OnModuleDestroy {
  private readonly streams = new Set<ChangeStream>();
  private timers: NodeJS.Timeout[] = [];
  private isChecking = false;
  private isClosed = false;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly reader: ChangeReader,
    private readonly access: StreamAccess,
  ) {}

  /**
   * Begins a stream of the changes after `since`, or of those to come.
   *
   * @param token the bearer token it is opened with
   * @throws {TooManyStreamsError | ChangesGoneError}
   */
  async open(since: number | undefined, token: string): Promise<ChangeStream> {
    if (this.streams.size >= MAX_STREAMS) throw new TooManyStreamsError(MAX_STREAMS);
    const stream = new ChangeStream(this.feed, token);
    this.add(stream);
    try {
      // Whether they can be had is said now, while there is a status to say it with.
      if (since !== undefined && !this.feed.recentAfter(since)) await this.reader.page(since, 1);
      const position = await this.feed.follow(stream);
      return stream.begin(since ?? position);
    } catch (error) {
      stream.destroy();
      throw error;
    } finally {
      if (this.isClosed) stream.finish();
    }
  }

  /** Ends all streams, so that they do not hold up a shutdown; their readers go on with another process. */
  onModuleDestroy(): void {
    this.isClosed = true;
    for (const stream of this.streams) stream.finish();
    this.stopTimers();
  }

  private add(stream: ChangeStream): void {
    this.streams.add(stream);
    if (this.timers.length === 0 && !this.isClosed) {
      this.timers = [setInterval(() => void this.check(), CHECK_MS), setInterval(() => this.beat(), BEAT_MS)];
    }
    stream.once('close', () => {
      this.feed.leave(stream);
      this.streams.delete(stream);
      if (this.streams.size === 0) this.stopTimers();
    });
  }

  private stopTimers(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
  }

  private beat(): void {
    for (const stream of this.streams) stream.beat();
  }

  private async check(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      const ended = await this.access.ended(new Set([...this.streams].map(({ token }) => token)));
      for (const stream of this.streams) {
        if (ended.has(stream.token)) stream.finish();
        else stream.advance();
      }
    } catch {
      // The database is away, or the issuer: the streams have nothing new to tell before the next look.
    } finally {
      this.isChecking = false;
    }
  }
}
