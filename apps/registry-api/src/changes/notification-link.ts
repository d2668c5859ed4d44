import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChangeSignal } from '../clients/change-signal.js';
import { ListeningSession, NotListeningError } from '../database/listening-session.js';
import { poolOf } from '../database/transaction.js';

/** For LISTEN and NOTIFY; unique within one database. */
const CHANNEL = 'svc_registry_changes';

/** Changes within this time are notified together. */
const PAUSE_MS = 10;

/** Between attempts to connect: doubled from `first` to `last`; longer where LISTEN has no effect, as that may persist. */
const RETRY_MS = { first: 100, last: 5_000, withoutEffect: 15_000 };

/** Between verifications that notifications still arrive. */
const VERIFY_MS = 15_000;

/**
 * Exchanges notifications of changes with other processes on the same PostgreSQL, over a dedicated connection. NOTIFY holds
 * a database-wide lock during its commit: inside the transactions of changes it would serialize their commits, so it
 * follows them. It is only an optimization; a process that misses a notification finds the changes by polling.
 *
 * The embedded database serves one process, which needs no link.
 */
@Injectable()
export class NotificationLink implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(NotificationLink.name);
  private readonly unsubscribe: () => void;
  private session: ListeningSession | undefined;
  private timer: NodeJS.Timeout | undefined;
  private retryMs = RETRY_MS.first;
  private isClosed = false;
  private isWanted = false;
  private isSending = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly signal: ChangeSignal,
  ) {
    this.unsubscribe = signal.subscribe((origin) => {
      if (origin === 'here') this.notify();
    });
  }

  /** False on the embedded database. */
  get isNeeded(): boolean {
    return poolOf(this.dataSource).isShared;
  }

  /** Whether notifications arrive, as verified when the session was opened and regularly since. */
  get isUp(): boolean {
    return this.session !== undefined;
  }

  onModuleInit(): void {
    if (this.isNeeded) void this.connect();
  }

  onApplicationShutdown(): void {
    this.isClosed = true;
    this.unsubscribe();
    clearTimeout(this.timer);
    this.session?.close();
  }

  private async connect(): Promise<void> {
    try {
      const session = await ListeningSession.open(poolOf(this.dataSource), CHANNEL, {
        onNotified: () => this.signal.announce('elsewhere'),
        onClosed: () => this.onClosed(),
      });
      this.onConnected(session);
    } catch (error) {
      this.logger.debug(`no notification link: ${String(error)}`);
      if (error instanceof NotListeningError) this.retryMs = RETRY_MS.withoutEffect;
      this.retry();
    }
  }

  private onConnected(session: ListeningSession): void {
    if (this.isClosed) return session.close();
    this.session = session;
    this.retryMs = RETRY_MS.first;
    this.timer = setTimeout(() => void this.verify(session), VERIFY_MS);
    // Catches up on notifications missed while disconnected.
    this.signal.announce('elsewhere');
  }

  private async verify(session: ListeningSession): Promise<void> {
    // A failure to verify it, as when the pool has no connection, says nothing about this connection.
    const arrives = await session.verify().catch(() => true);
    if (this.session !== session) return;
    if (arrives) this.timer = setTimeout(() => void this.verify(session), VERIFY_MS);
    else session.close();
  }

  private onClosed(): void {
    this.session = undefined;
    clearTimeout(this.timer);
    this.retry();
  }

  private retry(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, RETRY_MS.last);
  }

  private notify(): void {
    this.isWanted = true;
    if (!this.isSending) void this.send();
  }

  private async send(): Promise<void> {
    this.isSending = true;
    while (this.isWanted && this.session) {
      this.isWanted = false;
      const { session } = this;
      // A connection that fails to notify is useless.
      await session.notify(CHANNEL).catch(() => session.close());
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.isSending = false;
  }
}
