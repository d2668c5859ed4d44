import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement, queryToRead } from '../../database/prepared-statement.js';
import { poolOf } from '../../database/transaction.js';
import { StatementValues } from '../../database/statement-values.js';
import type { EventKind } from '../security-event.js';
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

const HEAD = new PreparedStatement<{ seq: string }>(
  'security_events_head',
  'SELECT head_seq AS seq FROM security_event_chain WHERE id = 1',
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

  /** Whether the record ends before this event: a restore undid it, or a failover lost it. */
  async isLost(seq: number): Promise<boolean> {
    const startedAt = performance.now();
    const isMissing = async () => Number((await HEAD.readCurrent(this.dataSource, []))[0]?.seq ?? 0) < seq;
    if (!(await isMissing())) return false;
    // A connection left open to a former primary lacks the events stored on its successor.
    const pool = poolOf(this.dataSource);
    if (!pool.renew(startedAt) || (await isMissing())) return true;
    pool.renewalHelped();
    return false;
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
      SELECT seq, at, kind, actor_id AS "actorId", actor_name AS "actorName", actor_source AS "actorSource", address,
             subject, details, mac
      FROM security_event ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
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

function toDocument(row: EventRow): SecurityEventDocument {
  const { seq, at, kind, actorId, actorName, actorSource, address, subject, details, mac } = row;
  return {
    ...{ seq: Number(seq), at: at.toISOString(), kind },
    actor: { id: actorId, name: actorName, source: actorSource, address },
    ...{ subject, details, mac: mac.toString('hex') },
  };
}
