import { Counter, type Metrics } from '@svc/service-kit';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { beforeCommit, inTransaction, onCommit, type Transaction } from '../database/transaction.js';
import type { EventKeys } from '../secrets/event-keys.js';
import { EventBatch, type Occurrence } from './event-batch.js';
import { type ChainedEvent, EventChain } from './event-chain.js';
import { EVENT_KINDS, type EventKind, type SecurityEvent } from './security-event.js';

/** How long an occurrence may wait to be written, together with others. */
const WRITE_EVERY_MS = 2_000;

/** Learns which events are stored. */
export interface EventListener {
  stored(events: readonly ChainedEvent[]): void;
}

/** The record of security events. */
export class SecurityEvents {
  private readonly chain: EventChain;
  private readonly batch = new EventBatch();
  /** Taken from the batch, but not stored yet. */
  private unwritten: readonly SecurityEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly dataSource: DataSource,
    readonly keys: EventKeys,
    private readonly logger: Logger,
    private readonly listeners: readonly EventListener[] = [],
  ) {
    this.chain = new EventChain(keys, logger);
  }

  /** Stores events with a transaction, right before it commits; it fails if they cannot be stored. */
  add(transaction: Transaction, ...events: readonly SecurityEvent[]): void {
    if (events.length === 0) return;
    beforeCommit(transaction, async () => {
      const stored = await this.chain.append(transaction, events);
      onCommit(transaction, () => this.listeners.forEach((listener) => listener.stored(stored)));
    });
  }

  /**
   * Stores what changes nothing in the database, off the path of the request that it belongs to. Repetitions within a minute
   * become one event. A process that is killed loses those of the last seconds.
   */
  record(occurrence: Occurrence): void {
    if (this.isClosed) return;
    this.batch.add(occurrence);
    this.timer ??= setInterval(() => {
      this.writing = this.writing.then(async () => this.write(this.take()));
    }, WRITE_EVERY_MS).unref();
  }

  /** Stores what waits. Later occurrences are not recorded. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await this.writing;
    await this.write([...this.unwritten, ...this.batch.takeAll()]);
  }

  /** While the database takes no writes, further occurrences are counted in the batch. */
  private take(): readonly SecurityEvent[] {
    if (this.unwritten.length > 0) return this.unwritten;
    const due = this.batch.take();
    if (this.batch.isEmpty) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    return due;
  }

  private async write(events: readonly SecurityEvent[]): Promise<void> {
    this.unwritten = events;
    if (events.length === 0) return;
    try {
      await inTransaction(this.dataSource, async (transaction) => this.add(transaction, ...events));
      this.unwritten = [];
    } catch (error) {
      // The pool logs an outage; the next run writes them.
      if (!isConnectionError(error)) this.logger.error({ err: error }, 'cannot store security events');
    }
  }
}

/** Counts the events that this process stores, by kind. */
export function countEvents(registry: Metrics['registry']): EventListener {
  const counter = new Counter({
    name: 'security_events_total',
    help: 'Security events stored by this process, by kind; repetitions within a minute count as one.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of EVENT_KINDS) counter.inc({ kind }, 0);
  return { stored: (events) => events.forEach(({ kind }) => counter.inc({ kind })) };
}

/** Writes each event to the log, in a fixed form, whatever the log level. */
export function logEvents(logger: Logger): EventListener {
  // None of the fields is secret, so they need no redaction.
  const lines = logger.child({}, { redact: [], level: 'info' });
  return {
    stored: (events) => {
      for (const event of events) lines.info({ security_event: toEventDocument(event) }, 'security event');
    },
  };
}

/** An event as callers see it. */
export interface EventDocument {
  readonly seq: number;
  readonly at: string;
  readonly kind: EventKind;
  readonly actor: SecurityEvent['actor'];
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly mac: string;
}

export function toEventDocument({
  seq,
  at,
  kind,
  actor,
  subject,
  details,
  mac,
}: ChainedEvent): EventDocument {
  return { seq, at: at.toISOString(), kind, actor, subject, details, mac: mac.toString('hex') };
}
