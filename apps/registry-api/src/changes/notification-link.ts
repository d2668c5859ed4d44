import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ChangeSignal } from '../clients/change-signal.js';

/** For LISTEN and NOTIFY; unique within one database. */
const CHANNEL = 'svc_registry_changes';

/** Changes within this time are notified together. */
const PAUSE_MS = 10;

/** Between attempts to connect: doubled from the first to the last. */
const RETRY_MS = { first: 100, last: 5_000 };

/** A connection that does not respond within this time is closed. */
const TIMEOUT_MS = 5_000;

/**
 * Exchanges notifications of changes with other processes on the same PostgreSQL, over a dedicated connection. NOTIFY holds
 * a database-wide lock during its commit: inside the transactions of changes it would serialize their commits, so it
 * follows them. It is only an optimization; a process that misses a notification finds the changes by polling.
 *
 * The embedded database serves one process, which needs no link.
 */
@Injectable()
export class NotificationLink implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(NotificationLink.name);
  private readonly unsubscribe: () => void;
  private client: pg.Client | undefined;
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
    return this.url !== undefined;
  }

  get isUp(): boolean {
    return this.client !== undefined;
  }

  onModuleInit(): void {
    void this.connect();
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    this.unsubscribe();
    clearTimeout(this.timer);
    const { client } = this;
    this.client = undefined;
    await client?.end();
  }

  private get url(): string | undefined {
    const { options } = this.dataSource;
    return options.type === 'postgres' ? options.url : undefined;
  }

  private async connect(): Promise<void> {
    if (this.url === undefined) return;
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'svc-registry-feed',
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Every error ends the connection, and is handled there.
    client.on('error', (error) => this.logger.debug(`the notification link failed: ${error.message}`));
    client.once('end', () => this.onEnd(client));
    client.on('notification', ({ processId }) => {
      if (processId !== ownProcessId(client)) this.signal.announce('elsewhere');
    });
    try {
      await client.connect();
      // Notifications need not survive a crash, so their commits need not wait for the disk.
      await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
      await this.onConnected(client);
    } catch (error) {
      this.logger.debug(`no notification link: ${String(error)}`);
      await client.end();
    }
  }

  private async onConnected(client: pg.Client): Promise<void> {
    if (this.isClosed) return client.end();
    this.client = client;
    this.retryMs = RETRY_MS.first;
    // Catches up on notifications missed while disconnected.
    this.signal.announce('elsewhere');
    return undefined;
  }

  private onEnd(client: pg.Client): void {
    if (this.client === client) this.client = undefined;
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
    while (this.isWanted && this.client) {
      this.isWanted = false;
      const { client } = this;
      // A connection that fails to notify is useless.
      await client.query(`NOTIFY ${CHANNEL}`).catch(async () => client.end());
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.isSending = false;
  }
}

/** The server's id of the connection, which notifications contain; missing in the driver's types. */
function ownProcessId(client: pg.Client): number | undefined {
  return (client as unknown as { readonly processID?: number }).processID;
}
