import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@svc/test-servers';

/** A request to an authorization server, and how the registry must count it. */
export interface CountedRequest {
  readonly clientId: string;
  readonly use: Readonly<Record<string, string>>;
  /** Resolves with the status. */
  send(): Promise<number>;
  readonly status: number;
}

interface Entry {
  readonly key: string;
  readonly sentAt: number;
  /** Absent: whether the server has processed it is unknown. */
  answeredAt?: number;
}

/** What was sent and answered, by the caller's own record, which outlives the killed processes. */
export class UsageLedger {
  private readonly entries: Entry[] = [];

  /** Sends requests of these kinds, in turn and one after another, until `isOver`. */
  async call(kinds: readonly CountedRequest[], isOver: () => boolean): Promise<void> {
    for (let at = 0; !isOver(); at += 1) {
      await this.send(kinds[at % kinds.length]!);
      await sleep(10);
    }
  }

  /** Requests that were answered, as the registry must count them. @param before answered before this time */
  answered(before = Infinity): Map<string, number> {
    return countsOf(this.entries.filter(({ answeredAt = Infinity }) => answeredAt < before));
  }

  /** All requests, with those of which the outcome is unknown. */
  sent(): Map<string, number> {
    return countsOf(this.entries);
  }

  private async send({ clientId, use, send, status }: CountedRequest): Promise<void> {
    const sentAt = Date.now();
    const entry: Entry = { key: keyOf(clientId, dayOf(sentAt), use), sentAt };
    this.entries.push(entry);
    const answer = await send().catch(() => undefined);
    if (answer === status) entry.answeredAt = Date.now();
    else if (answer !== undefined && answer !== 503)
      throw new Error(`${entry.key} is answered with ${answer}, not with ${status}`);
  }
}

/** The registry's counts of these Clients, with the hints of secrets. */
export async function storedCounts(
  databaseUrl: string,
  clientIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query<{ client_id: string; period: string; use: Record<string, string>; count: number }>(
    databaseUrl,
    `SELECT u.client_id, u.period, u.count::int,
            u.use || coalesce((SELECT jsonb_build_object('secret', s.hint) FROM client_secret s WHERE s.id::text = u.use->>'secret'), '{}') AS use
     FROM client_usage u WHERE u.client_id IN (${clientIds.map((id) => `'${id}'`).join()})`,
  );
  return new Map(rows.map(({ client_id: id, period, use, count }) => [keyOf(id, period, use), count]));
}

export function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Resolves at once, unless the day (UTC) ends within this time: then after that. */
export async function sameDayFor(ms: number): Promise<void> {
  const end = Date.parse(`${dayOf(Date.now())}T23:59:59.999Z`) + 1;
  if (end - Date.now() < ms) await sleep(end - Date.now());
}

function countsOf(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of entries) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function keyOf(clientId: string, day: string, use: Readonly<Record<string, string>>): string {
  const members = Object.entries(use).sort(([a], [b]) => (a < b ? -1 : 1));
  return [clientId, day, ...members.map(([name, value]) => `${name}=${value}`)].join(' ');
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length);
