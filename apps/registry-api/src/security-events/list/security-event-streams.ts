import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type PlaceTaker, SharedPlaces } from '@svc/service-kit';
import { StreamAccess, type StreamToken } from '../../changes/stream-access.js';
import type { SecurityEventDocument } from './security-event.dto.js';
import { hasErrorCode } from '../../errors/registry-error.js';
import { type EventPosition, formatEventPosition } from './event-position.js';
import { type EventFilter, SecurityEventReader } from './security-event-reader.js';

/** Streams of one process: a handful of log collectors. */
const STREAMS = {
  name: 'streams of security events',
  total: 20,
  perToken: 5,
  perAddress: 10,
  remedy: 'try again later, or read the events by paging',
};

/** Exports that one process sends at a time. */
const EXPORTS = {
  name: 'exports of security events',
  total: 5,
  perToken: 2,
  perAddress: 3,
  remedy: 'try again when one has finished',
};

/** Events per read: all that an export or a stream ever holds in memory, however slow its reader. */
const BATCH = 500;

/** How often a stream asks for new events, and whether its token is still valid. */
const POLL_MS = 1_000;

/** In polls. Proxies close connections that are silent for a minute. */
const KEEP_ALIVE_AFTER = 15;

const SCOPES = ['audit:read'];

/** Who reads, with its token. */
export type EventReader = PlaceTaker & { readonly token: string };

/** Sends many events, or events as they are recorded. */
@Injectable()
export class SecurityEventStreams implements OnModuleDestroy {
  private readonly logger = new Logger(SecurityEventStreams.name);
  private readonly streams = new SharedPlaces(STREAMS);
  private readonly exports = new SharedPlaces(EXPORTS);
  private readonly closing = new AbortController();

  constructor(
    private readonly reader: SecurityEventReader,
    private readonly access: StreamAccess,
  ) {}

  /** Ends all streams, so that they do not delay a shutdown; their readers reconnect to another process. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /**
   * All events that match, oldest first, as NDJSON. Fails within a second of its token's end.
   *
   * @throws {RegistryError | NoPlaceLeftError} `issuer_unavailable`
   */
  async export(filter: EventFilter, reader: EventReader): Promise<Readable> {
    const token = await this.access.identify(reader.token);
    const leave = this.exports.take(reader);
    try {
      const lines = this.lines(filter, await this.reader.last(), reader.id);
      const content = Readable.from(lines, { objectMode: false }).once('close', leave);
      return this.access.whileValid(content, token, SCOPES);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /**
   * The events that match after `since`, or future ones, as `text/event-stream`. Ends within a second or two of its token.
   *
   * @throws {RegistryError | NoPlaceLeftError} `events_gone`, `issuer_unavailable`
   */
  async open(since: EventPosition | undefined, filter: EventFilter, reader: EventReader): Promise<Readable> {
    const token = await this.access.identify(reader.token);
    const leave = this.streams.take(reader);
    try {
      // A lost event is reported now, while the response can still have an error status.
      if (since) await this.reader.following(since, {}, 0, reader.id);
      const begin = since ?? (await this.reader.end());
      return Readable.from(this.follow(begin, filter, token, reader.id), { objectMode: false }).once(
        'close',
        leave,
      );
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async *lines(filter: EventFilter, last: number, owner: string): AsyncGenerator<string, void> {
    for (let after = 0; after < last;) {
      const events = await this.reader.after(after, filter, BATCH, owner);
      const wanted = events.filter(({ seq }) => seq <= last);
      if (wanted.length > 0) yield wanted.map((event) => `${JSON.stringify(event)}\n`).join('');
      after = events.length < BATCH ? last : (events.at(-1)?.seq ?? last);
    }
  }

  private async *follow(
    begin: EventPosition,
    filter: EventFilter,
    token: StreamToken,
    owner: string,
  ): AsyncGenerator<string, void> {
    yield `retry: 2000\nid: ${formatEventPosition(begin)}\n\n`;
    let quiet = 0;
    for (let after = begin; !this.closing.signal.aborted;) {
      const events = await this.poll(after, filter, token, owner);
      if (!events) return;
      const last = events.at(-1);
      if (last) {
        after = last;
        yield events
          .map((event) => `id: ${formatEventPosition(event)}\ndata: ${JSON.stringify(event)}\n\n`)
          .join('');
      } else if ((quiet += 1) === KEEP_ALIVE_AFTER) yield ': keep-alive\n\n';
      if (last || quiet === KEEP_ALIVE_AFTER) quiet = 0;
      if (events.length < BATCH) await this.pause();
    }
  }

  /** @returns undefined when the stream must end; none during an outage of the database */
  private async poll(
    after: EventPosition,
    filter: EventFilter,
    token: StreamToken,
    owner: string,
  ): Promise<readonly SecurityEventDocument[] | undefined> {
    try {
      if (await this.access.hasEnded(token, SCOPES)) return undefined;
      return await this.reader.following(after, filter, BATCH, owner);
    } catch (error) {
      // Its reader learns that when it reconnects.
      if (hasErrorCode(error, 'events_gone')) return undefined;
      this.logger.debug(`cannot read security events at the moment: ${String(error)}`);
      return [];
    }
  }

  private async pause(): Promise<void> {
    await sleep(POLL_MS, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
  }
}
