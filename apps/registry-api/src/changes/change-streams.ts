import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type PlaceTaker, SharedPlaces } from '@svc/service-kit';
import type { ChangePosition } from '../clients/change-position.js';
import { ChangeFeed } from './change-feed.js';
import { ChangeReader } from './change-reader.js';
import { ChangeStream } from './change-stream.js';
import { type FeedView, FULL_VIEW } from './feed-view.js';
import { StreamAccess } from './stream-access.js';

/** Per process. */
export const MAX_STREAMS = 2_000;

/** Leaves room for others when one reader misbehaves. */
const PLACES = {
  name: 'change streams',
  total: MAX_STREAMS,
  perToken: MAX_STREAMS / 4,
  perAddress: MAX_STREAMS / 2,
  remedy: 'try again later, or read the changes by paging',
};

/** How often tokens are checked again: a stream ends within a second of its token. */
const CHECK_MS = 400;

/** How often a stream sends a keep-alive; proxies close connections that are silent for a minute. */
const BEAT_MS = 15_000;

/** The open streams of this process. */
@Injectable()
export class ChangeStreams implements OnModuleDestroy {
  private readonly streams = new Set<ChangeStream>();
  private readonly places = new SharedPlaces(PLACES);
  private timers: NodeJS.Timeout[] = [];
  private isClosed = false;
  private readonly logger = new Logger(ChangeStreams.name);
  private readonly endRevoked = singleRun(
    async () => this.findRevoked(),
    (error) => this.logger.warn(`cannot check the API tokens of streams at the moment: ${String(error)}`),
  );
  private readonly endInvalidated = singleRun(
    async () => this.findInvalidated(),
    (error) => this.logger.error(`cannot check an access token of a stream: ${String(error)}`),
  );

  constructor(
    private readonly feed: ChangeFeed,
    private readonly reader: ChangeReader,
    private readonly access: StreamAccess,
  ) {}

  get count(): number {
    return this.streams.size;
  }

  /**
   * Opens a stream of the changes after `since`, or of future ones.
   *
   * @param token the reader's bearer token
   * @throws {RegistryError | NoPlaceLeftError} `changes_gone`, `issuer_unavailable`
   */
  async open(
    since: ChangePosition | undefined,
    token: string,
    reader: PlaceTaker & FeedView,
  ): Promise<ChangeStream> {
    const identified = await this.access.identify(token);
    const leave = this.places.take(reader);
    const { id, selector, seesActors } = reader;
    const stream = new ChangeStream(this.feed, identified, { id, selector, seesActors });
    stream.once('close', leave);
    this.add(stream);
    try {
      // Missing changes are reported now, while the response can still have an error status.
      if (since !== undefined && !this.feed.recentAfter(since)) await this.reader.page(since, 1, FULL_VIEW);
      const position = await this.feed.follow(stream);
      return stream.begin(since ?? position);
    } catch (error) {
      stream.destroy();
      throw error;
    } finally {
      if (this.isClosed) stream.finish();
    }
  }

  /** Ends all streams, so that they do not delay a shutdown; their readers reconnect to another process. */
  onModuleDestroy(): void {
    this.isClosed = true;
    for (const stream of this.streams) stream.finish();
    this.stopTimers();
  }

  private add(stream: ChangeStream): void {
    this.streams.add(stream);
    if (this.timers.length === 0 && !this.isClosed) {
      this.timers = [setInterval(() => this.check(), CHECK_MS), setInterval(() => this.beat(), BEAT_MS)];
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

  private check(): void {
    this.endExpired();
    void this.endRevoked();
    void this.endInvalidated();
  }

  /** Access tokens expire by the clock, whether or not the issuer responds. */
  private endExpired(): void {
    const now = Date.now();
    for (const stream of this.streams) if ((stream.token.expiresAt ?? Infinity) <= now) stream.finish();
  }

  private async findRevoked(): Promise<void> {
    const ended = await this.access.endedApiTokens(this.tokens('api'));
    for (const stream of this.streams) {
      if (ended.has(stream.token.value)) stream.finish();
      else stream.advance();
    }
  }

  /** In parallel, so that a token that waits for the issuer delays no other. */
  private async findInvalidated(): Promise<void> {
    await Promise.all(
      [...this.tokens('access')].map(async (value) => {
        if (await this.access.isInvalidated(value)) this.endThoseOf(value);
      }),
    );
  }

  private endThoseOf(value: string): void {
    for (const stream of this.streams) if (stream.token.value === value) stream.finish();
  }

  private tokens(kind: 'api' | 'access'): Set<string> {
    const isWanted = ({ token }: ChangeStream) => (token.expiresAt === undefined) === (kind === 'api');
    return new Set([...this.streams].filter(isWanted).map(({ token }) => token.value));
  }
}

/** Wraps a periodic task: it never overlaps itself, and reports only the first of successive failures. */
function singleRun(task: () => Promise<void>, onFailure: (error: unknown) => void): () => Promise<void> {
  let isRunning = false;
  let hasFailed = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onFailure(error);
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  };
}
