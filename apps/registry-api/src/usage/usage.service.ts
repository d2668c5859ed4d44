import { Injectable } from '@nestjs/common';
import type { UsageBatch } from '@svc/client-metadata';
import { type Violation, Problem } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { ClientsService } from '../clients/clients.service.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Caller, Reach } from '../http/current-caller.js';
import { dayOf, UsagePolicy } from '../settings/registry-settings.js';
import { UsageCompleteness } from './usage-completeness.js';
import { type CountedUse, PERIODS_OF_CLIENT, USES_OF_CLIENT } from './usage-statements.js';
import { type KnownSecret, summarizeUses } from './usage-summary.js';
import type { ClientUsageReport } from './usage.dto.js';
import { UsageStore } from './usage.store.js';

/** `$1` client_id */
const SECRETS_OF_CLIENT = new PreparedStatement<KnownSecret>(
  'usage_secrets',
  `SELECT id, hint, created_at AS "createdAt", last_used_at AS "lastUsedAt" FROM client_secret
   WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id DESC`,
);

/** `$1` client_id */
const LAST_USE = new PreparedStatement<LastUse>(
  'usage_last',
  'SELECT used_at AS "usedAt", refused_at AS "refusedAt" FROM client_last_use WHERE client_id = $1',
);

const DAY_MS = 24 * 3_600_000;

interface LastUse {
  readonly usedAt: Date | null;
  readonly refusedAt: Date | null;
}

/** The Client's own times may be older than its counts. */
function lastUses(
  uses: readonly CountedUse[],
  last: LastUse | undefined,
): Pick<ClientUsageReport, 'last_used_at' | 'last_refused_at'> {
  const latest = (isRefused: boolean, known: Date | null = null) => {
    const times = uses
      .filter(({ use }) => (use.refusal !== undefined) === isRefused)
      .map(({ lastAt }) => lastAt);
    return [...times, ...(known ? [known] : [])].reduce<Date | undefined>(
      (newest, at) => (newest && newest > at ? newest : at),
      undefined,
    );
  };
  const [used, refused] = [latest(false, last?.usedAt), latest(true, last?.refusedAt)];
  return {
    ...(used && { last_used_at: used.toISOString() }),
    ...(refused && { last_refused_at: refused.toISOString() }),
  };
}

/** How Clients are used. */
@Injectable()
export class UsageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientsService,
    private readonly store: UsageStore,
    private readonly policy: UsagePolicy,
  ) {}

  /** @returns whether uses are recorded @throws {Problem | RegistryError} 400; `too_many_reporters` */
  async report(batch: UsageBatch, caller: Caller): Promise<boolean> {
    assertInterval(batch, Date.now());
    if (this.policy.isRecorded) await this.store.addReported(batch, caller);
    return this.policy.isRecorded;
  }

  /** @param days how many, including the current one @throws {RegistryError} `client_not_found` */
  async of(clientId: string, days: number, reach: Reach, now = new Date()): Promise<ClientUsageReport> {
    const client = await this.clients.find(clientId, reach);
    const from = dayOf(new Date(now.getTime() - (days - 1) * DAY_MS));
    const [uses, periods, secrets, [last], completeness] = await Promise.all([
      USES_OF_CLIENT.run(this.dataSource, [clientId, from]),
      PERIODS_OF_CLIENT.run(this.dataSource, [clientId, from]),
      SECRETS_OF_CLIENT.run(this.dataSource, [clientId]),
      LAST_USE.run(this.dataSource, [clientId]),
      UsageCompleteness.read(this.dataSource, from, now),
    ]);
    const { since } = completeness;
    return {
      is_recorded: this.policy.isRecorded,
      ...(since && { recorded_since: since.toISOString() }),
      from,
      incomplete_days: completeness.incompleteDays(client, this.firstKept(from, now), dayOf(now), now),
      ...lastUses(uses, last),
      ...summarizeUses(uses, { redirectUris: client.metadata.redirect_uris, secrets }),
      periods,
    };
  }

  /** Earlier days are not retained, so they are neither complete nor incomplete. */
  private firstKept(from: string, now: Date): string {
    const keptFrom = this.policy.keptFrom(now);
    return from < keptFrom ? keptFrom : from;
  }
}

/** Shorter than batches are remembered, so that none is counted twice. */
const MAX_AGE_MS = 24 * 3_600_000;

/** Tolerates clocks that are ahead. */
const MAX_AHEAD_MS = 5 * 60_000;

/** @throws {Problem} 400 unless the times of a batch fit together */
function assertInterval({ from, to, rows }: UsageBatch, now: number): void {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const errors = [
    ...(start > end ? [violation('/from', 'must not be after to')] : []),
    ...(end < now - MAX_AGE_MS ? [violation('/to', 'must be at most 24 hours ago')] : []),
    ...(end > now + MAX_AHEAD_MS ? [violation('/to', 'must not be in the future')] : []),
    ...rows.flatMap(({ first_at: first, last_at: last }, index) => {
      const [firstAt, lastAt] = [Date.parse(first), Date.parse(last)];
      if (firstAt > lastAt) return [violation(`/rows/${index}/first_at`, 'must not be after last_at')];
      if (new Date(firstAt).getUTCDate() !== new Date(lastAt).getUTCDate() || lastAt - firstAt > MAX_AGE_MS) {
        return [violation(`/rows/${index}/first_at`, 'must be on the same day (UTC) as last_at')];
      }
      const isOutside = firstAt < now - 2 * MAX_AGE_MS || lastAt > now + MAX_AHEAD_MS;
      return isOutside ? [violation(`/rows/${index}/last_at`, 'must be within the last 48 hours')] : [];
    }),
  ];
  if (errors.length === 0) return;
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Problem({ status: 400, detail, errors });
}

function violation(field: string, message: string): Violation {
  return { field, code: 'interval', message };
}
