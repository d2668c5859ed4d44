import { callerNetwork } from '@svc/service-kit';
import { type SecurityEvent, SOURCES } from './security-event.js';

/** Something that may happen often: repetitions within a minute become one event. */
export interface Occurrence extends Omit<SecurityEvent, 'at'> {
  /** Added up over repetitions. */
  readonly amounts?: Readonly<Record<string, number>>;
}

/** Occurrences of one kind, by the same actor, to the same subject. */
interface Series {
  readonly first: Occurrence;
  readonly amounts: Record<string, number>;
  /** Not taken yet. */
  count: number;
  since: Date;
  until: Date;
  /** When it is taken next, in milliseconds since 1970; a series that has nothing to take then is dropped. */
  dueAt: number;
}

const WINDOW_MS = 60_000;

/** Per kind. Further ones are counted together, so that a flood of one kind fills neither memory nor the database. */
const MAX_SERIES = 200;

/**
 * Combines repeated occurrences: the first is due at once, and those of each following minute together. Addresses are
 * distinguished as far as callers cannot choose them freely (IPv6: /64).
 */
export class EventBatch {
  private readonly series = new Map<string, Series>();
  private readonly perKind = new Map<string, number>();

  /** Whether anything waits, now or later. */
  get isEmpty(): boolean {
    return this.series.size === 0;
  }

  add(occurrence: Occurrence, now = new Date()): void {
    const series = this.seriesOf(occurrence, now);
    if (series.count === 0) series.since = now;
    series.count += 1;
    series.until = now;
    for (const [name, amount] of Object.entries(occurrence.amounts ?? {})) {
      series.amounts[name] = (series.amounts[name] ?? 0) + amount;
    }
  }

  /** The events that are due. */
  take(now = new Date()): SecurityEvent[] {
    const due = [...this.series].filter(([, { dueAt }]) => dueAt <= now.getTime());
    for (const [key, { count, first }] of due) if (count === 0) this.drop(key, first.kind);
    return due.filter(([, { count }]) => count > 0).map(([, series]) => drain(series, now));
  }

  /** All events, due or not. */
  takeAll(): SecurityEvent[] {
    return [...this.series.values()]
      .filter(({ count }) => count > 0)
      .map((series) => drain(series, new Date()));
  }

  private seriesOf(occurrence: Occurrence, now: Date): Series {
    const key = keyOf(occurrence);
    const known = this.series.get(key);
    if (known) return known;
    const { kind } = occurrence;
    const count = this.perKind.get(kind) ?? 0;
    if (count < MAX_SERIES) {
      this.perKind.set(kind, count + 1);
      return this.begin(key, occurrence, now);
    }
    const others = `${kind} others`;
    return this.series.get(others) ?? this.begin(others, { kind, actor: SEVERAL }, now);
  }

  private begin(key: string, first: Occurrence, now: Date): Series {
    const series = { first, amounts: {}, count: 0, since: now, until: now, dueAt: now.getTime() };
    this.series.set(key, series);
    return series;
  }

  private drop(key: string, kind: string): void {
    this.series.delete(key);
    if (!key.endsWith(' others')) this.perKind.set(kind, (this.perKind.get(kind) ?? 1) - 1);
  }
}

const SEVERAL = { id: '', name: '', source: SOURCES.several, address: '' };

/** JSON, which never looks like the key of those that are counted together. */
function keyOf({ kind, actor, subject, details }: Occurrence): string {
  return JSON.stringify([kind, actor.id, actor.source, callerNetwork(actor.address), subject, details]);
}

/** Returns what a series has collected as one event, and empties it. */
function drain(series: Series, now: Date): SecurityEvent {
  const { first, count, since, until, amounts } = series;
  const { kind, actor, subject, details } = first;
  const repeated = count > 1 ? { count, until: until.toISOString() } : {};
  series.count = 0;
  series.dueAt = now.getTime() + WINDOW_MS;
  const collected = { ...amounts };
  for (const name of Object.keys(amounts)) delete amounts[name];
  return {
    ...{ kind, actor, at: since },
    ...(subject !== undefined && { subject }),
    details: { ...details, ...collected, ...repeated },
  };
}
