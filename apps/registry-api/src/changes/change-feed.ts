import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ChangePosition } from '../clients/change-position.js';
import { ChangeSignal } from '../clients/change-signal.js';
import { Semaphore } from '../database/semaphore.js';
import { hasErrorCode } from '../errors/registry-error.js';
import { ChangeReader } from './change-reader.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import type { FeedChangeRow } from './change.dto.js';
import { type FeedView, FULL_VIEW } from './feed-view.js';
import { encodeChange, type EncodedChange, RecentChanges, silentUpTo } from './recent-changes.js';

/** Is notified of new changes. */
export interface Follower {
  /** There are new changes. */
  advance(): void;
  /** The known changes are no longer those of the database: it was restored to an earlier state. */
  finish(): void;
}

/** How often the database is polled without a signal. */
const POLL_MS = 1_000;

/** Signals within this time are handled together. */
const PAUSE_MS = 10;

/** Changes per read. One takes some hundred bytes, 200 kB at most. */
const BATCH = 64;

/** How many streams that lag behind may read at a time, so that requests keep most connections. */
const READERS = 2;

/** Reads every new change once for all streams of this process, while it has any. */
@Injectable()
export class ChangeFeed implements OnModuleDestroy {
  private readonly logger = new Logger(ChangeFeed.name);
  private readonly followers = new Set<Follower>();
  private readonly turns = new Semaphore({ all: () => READERS });
  private readonly unsubscribe: () => void;
  private readonly encode = (row: FeedChangeRow) => encodeChange(row, this.settings.capabilities);
  private beginning: Promise<RecentChanges> | undefined;
  private recent: RecentChanges | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isWanted = false;
  private isAway = false;

  constructor(
    private readonly reader: ChangeReader,
    private readonly settings: RegistrySettings,
    signal: ChangeSignal,
  ) {
    this.unsubscribe = signal.subscribe(() => this.wake());
  }

  onModuleDestroy(): void {
    this.unsubscribe();
    this.stop();
  }

  /** @returns the last known change; later ones are announced from now on */
  async follow(follower: Follower): Promise<ChangePosition> {
    this.followers.add(follower);
    this.beginning ??= this.begin();
    return (await this.beginning).position;
  }

  leave(follower: Follower): void {
    this.followers.delete(follower);
    if (this.followers.size === 0) this.stop();
  }

  /** The changes after this one when it is in memory; otherwise undefined. */
  recentAfter(position: ChangePosition): readonly EncodedChange[] | undefined {
    return this.recent?.after(position);
  }

  /**
   * The first changes after this one that a stream's reader sees, for a stream that lags behind.
   *
   * @throws {RegistryError} `changes_gone`
   */
  async readAfter(position: ChangePosition, view: FeedView): Promise<readonly EncodedChange[]> {
    const read = async () => this.reader.page(position, BATCH, view);
    const { changes, next } = await this.turns.run(read, view.id);
    // Where the reader sees few of many changes, the next read continues after those that it does not see.
    return [...changes.map(this.encode), ...(next ? [silentUpTo(next)] : [])];
  }

  private async begin(): Promise<RecentChanges> {
    try {
      const recent = new RecentChanges(await this.reader.last());
      if (this.followers.size > 0) {
        this.recent = recent;
        this.timer ??= setInterval(() => this.wake(), POLL_MS);
      }
      return recent;
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  private stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.beginning = undefined;
    this.recent = undefined;
  }

  private wake(): void {
    this.isWanted = true;
    if (!this.isPolling && this.recent) void this.poll();
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    while (this.isWanted && this.recent) {
      this.isWanted = false;
      await this.readNew(this.recent);
      await sleep(PAUSE_MS);
    }
    this.isPolling = false;
  }

  private async readNew(recent: RecentChanges): Promise<void> {
    try {
      for (let hasMore = true; hasMore;) {
        const page = await this.reader.page(recent.position, BATCH, FULL_VIEW);
        recent.add(page.changes.map(this.encode));
        if (page.changes.length > 0) for (const follower of this.followers) follower.advance();
        hasMore = page.next !== undefined;
      }
      this.isAway = false;
    } catch (error) {
      this.onFailure(error);
    }
  }

  /** Streams survive an outage of the database: the next poll continues where this one stopped. */
  private onFailure(error: unknown): void {
    if (hasErrorCode(error, 'changes_gone')) {
      this.logger.error(`restarting the change feed: ${error.message}`);
      for (const follower of [...this.followers]) follower.finish();
    } else if (!this.isAway) {
      this.isAway = true;
      this.logger.warn(`cannot read new changes at the moment: ${String(error)}`);
    }
  }
}
