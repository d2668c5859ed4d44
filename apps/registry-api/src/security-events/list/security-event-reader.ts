import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement, queryToRead } from '../../database/prepared-statement.js';
import { ReadContext, readContext } from '../../database/read-context.js';
import { poolOf } from '../../database/transaction.js';
import { StatementValues } from '../../database/statement-values.js';
import { DatabaseUnavailableError } from '../../database/database-errors.js';
import { RegistryError } from '../../errors/registry-error.js';
import type { EventKind } from '../security-event.js';
import type { EventPosition } from './event-position.js';
import type { SecurityEventDocument } from './security-event.dto.js';

/** Which events are read. Absent: all. */
export interface EventFilter {
  readonly kind?: readonly EventKind[] | undefined;
  /** Id of the actor. */
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** A page, latest first. */
export interface EventPage {
  readonly events: readonly SecurityEventDocument[];
  /** `cursor` of the next page. */
  readonly next?: number;
}

interface EventRow extends Omit<SecurityEventDocument, 'seq' | 'at' | 'actor' | 'mac'> {
  /** A bigint, as the driver gives it. */
  readonly seq: string;
  readonly at: Date;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorSource: string;
  readonly address: string;
  readonly mac: Buffer;
}

/** One row if no event follows, so that it says whether the event to start after exists. */
type FollowingRow = { readonly sinceExists: boolean } & (EventRow | { readonly seq: null });

const COLUMNS = `
  seq, at, kind, actor_id AS "actorId", actor_name AS "actorName", actor_source AS "actorSource", address, subject, details,
  mac`;

const HEAD = new PreparedStatement<{ seq: string; mac: Buffer }>(
  'security_events_head',
  'SELECT head_seq AS seq, head_mac AS mac FROM security_event_chain WHERE id = 1',
);

/** `$1` number `$2` MAC, null for any */
const EXISTING = new PreparedStatement<{ seq: string }>(
  'security_event_existing',
  'SELECT seq FROM security_event WHERE seq = $1 AND mac = coalesce($2::bytea, mac)',
);

/** Reads security events in the order of the record. */
@Injectable()
export class SecurityEventReader {
  constructor(private readonly dataSource: DataSource) {}

  /** Number of the last event; 0: there is none. */
  async last(): Promise<number> {
    const [head] = await HEAD.run(this.dataSource, []);
    return Number(head?.seq ?? 0);
  }

  /** The last event on the primary, to be continued by {@link following}. */
  async end(): Promise<EventPosition> {
    const [head] = await HEAD.readCurrent(this.dataSource, []);
    return { seq: Number(head?.seq ?? 0), mac: head?.mac.toString('hex') ?? '' };
  }

  /**
   * @param owner id of the caller, which takes turns with others
   * @param before the event before which to begin; absent: the latest
   */
  async page(filter: EventFilter, limit: number, owner: string, before?: number): Promise<EventPage> {
    const found = await this.read(filter, limit + 1, owner, { before });
    const events = found.slice(0, limit);
    const next = found.length > limit ? events.at(-1)?.seq : undefined;
    return next === undefined ? { events } : { events, next };
  }

  /** The first events after this one, oldest first. */
  async after(
    seq: number,
    filter: EventFilter,
    limit: number,
    owner: string,
  ): Promise<SecurityEventDocument[]> {
    return this.read(filter, limit, owner, { after: seq });
  }

  /**
   * The first events after this one, oldest first, on the primary: a standby may show events before the primary acknowledges
   * them, and those may still be lost.
   *
   * @throws {RegistryError | DatabaseUnavailableError} `events_gone` when there is no event `since`: a restore undid it, or a
   *   failover lost it
   */
  async following(
    since: EventPosition,
    filter: EventFilter,
    limit: number,
    owner: string,
  ): Promise<SecurityEventDocument[]> {
    const startedAt = performance.now();
    const read = async () => this.readFollowing(since, filter, limit, owner);
    const pool = poolOf(this.dataSource);
    const events = await read();
    if (events) return events;
    // A connection left open to a former primary lacks the events stored on its successor.
    if (pool.isWritable && pool.renew(startedAt)) {
      const renewed = await read();
      if (renewed) {
        pool.renewalHelped();
        return renewed;
      }
    }
    // One that waits for a standby may already have been seen on another.
    if (!pool.isWritable || (await this.isOnStandby(since))) throw new DatabaseUnavailableError(eventsGone());
    throw eventsGone();
  }

  private async isOnStandby({ seq, mac }: EventPosition): Promise<boolean> {
    if (!poolOf(this.dataSource).standbys) return false;
    const found = await readContext.run(new ReadContext('recent'), async () =>
      EXISTING.run(this.dataSource, [seq, macOf(mac)]),
    );
    return found.length > 0;
  }

  /**
   * In one statement, so that an event that is deleted because of its age meanwhile does not look lost.
   *
   * @returns undefined when there is no event `since`
   */
  private async readFollowing(
    since: EventPosition,
    filter: EventFilter,
    limit: number,
    owner: string,
  ): Promise<SecurityEventDocument[] | undefined> {
    const values = StatementValues.of([since.seq, macOf(since.mac)]);
    const conditions = ['seq > $1', ...conditionsOf(filter, values)].join(' AND ');
    const text = `
      SELECT e.*, (
        $1 <= c.anchor_seq OR EXISTS (SELECT FROM security_event WHERE seq = $1 AND mac = coalesce($2::bytea, mac))
      ) AS "sinceExists"
      FROM security_event_chain c
      LEFT JOIN (
        SELECT ${COLUMNS} FROM security_event WHERE ${conditions} ORDER BY seq LIMIT ${values.add(limit)}
      ) e ON true
      WHERE c.id = 1 ORDER BY e.seq`;
    const rows = await readContext.run(new ReadContext('current'), async () =>
      queryToRead<FollowingRow>(this.dataSource, 'security_events_follow', text, values.list, owner),
    );
    if (rows[0]?.sinceExists !== true) return undefined;
    return rows.filter((row) => row.seq !== null).map(toDocument);
  }

  private async read(
    filter: EventFilter,
    limit: number,
    owner: string,
    { before, after }: { readonly before?: number | undefined; readonly after?: number },
  ): Promise<SecurityEventDocument[]> {
    const values = new StatementValues();
    const conditions = conditionsOf(filter, values);
    if (before !== undefined) conditions.push(`seq < ${values.add(before)}`);
    if (after !== undefined) conditions.push(`seq > ${values.add(after)}`);
    const order = after === undefined ? 'DESC' : 'ASC';
    const text = `
      SELECT ${COLUMNS} FROM security_event ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
      ORDER BY seq ${order} LIMIT ${values.add(limit)}`;
    const rows = await queryToRead<EventRow>(
      this.dataSource,
      'security_events_read',
      text,
      values.list,
      owner,
    );
    return rows.map(toDocument);
  }
}

function conditionsOf(
  { kind, actor, subject, since, until }: EventFilter,
  values: StatementValues,
): string[] {
  return [
    ...(kind ? [`kind = ANY (${values.add(kind)}::text[])`] : []),
    ...(actor === undefined ? [] : [`actor_id = ${values.add(actor)}`]),
    ...(subject === undefined ? [] : [`subject = ${values.add(subject)}`]),
    ...(since ? [`at >= ${values.add(since)}`] : []),
    ...(until ? [`at < ${values.add(until)}`] : []),
  ];
}

function macOf(hexadecimal: string): Buffer | null {
  return hexadecimal === '' ? null : Buffer.from(hexadecimal, 'hex');
}

function eventsGone(): RegistryError {
  return new RegistryError(
    'events_gone',
    'there is no such event, perhaps because the database was restored or failed over; compare what you have with the audit log ' +
      '(GET /audit), and follow it without Last-Event-ID',
  );
}

function toDocument(row: EventRow): SecurityEventDocument {
  const { seq, at, kind, actorId, actorName, actorSource, address, subject, details, mac } = row;
  return {
    ...{ seq: Number(seq), at: at.toISOString(), kind },
    actor: { id: actorId, name: actorName, source: actorSource, address },
    ...{ subject, details, mac: mac.toString('hex') },
  };
}
