import { Injectable } from '@nestjs/common';
import type { Observation, ObservedChange, ObservedSecret, ObservedUse } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import type { StoredClient } from '../clients/stored-client.js';
import { dayOf, RetentionPolicy } from '../settings/registry-settings.js';
import { UsageCompleteness } from '../usage/usage-completeness.js';
import {
  CHANGES_OF_CLIENTS,
  LAST_USES_OF_CLIENTS,
  MAX_CHANGES,
  SEEN_USES,
  USES_OF_CLIENTS,
} from './observation-statements.js';

const DAY_MS = 24 * 3_600_000;

/** The days that recommendations are based on: whole days (UTC) before the current one. */
export interface ObservedDays {
  /** As in 2026-11-24. */
  readonly from: string;
  readonly to: string;
  readonly now: Date;
}

export function daysBefore(now: Date, days: number): ObservedDays {
  const before = (count: number) => dayOf(new Date(now.getTime() - count * DAY_MS));
  return { from: before(days), to: before(1), now };
}

/** What was observed of a Client, or why its days prove nothing. */
export type Observed = { readonly observation: Observation } | { readonly incompleteDays: readonly string[] };

/** Context shared by the observations of all Clients. */
export interface Occasion {
  readonly days: ObservedDays;
  readonly completeness: UsageCompleteness;
  readonly sees: Observation['sees'];
}

/** Collects how Clients were used. */
@Injectable()
export class ClientObserver {
  constructor(
    private readonly dataSource: DataSource,
    private readonly retention: RetentionPolicy,
  ) {}

  async begin(days: ObservedDays): Promise<Occasion> {
    const { from, now } = days;
    const [completeness, [sees]] = await Promise.all([
      UsageCompleteness.read(this.dataSource, from, now),
      SEEN_USES.run(this.dataSource, [from, new Date(from)]),
    ]);
    return { days, completeness, sees: sees ?? { requests: false, secrets: false } };
  }

  /** @returns an observation of each, in the same order */
  async observe(clients: readonly StoredClient[], occasion: Occasion): Promise<Observed[]> {
    const { from } = occasion.days;
    const ids = clients.map(({ clientId }) => clientId);
    const [uses, lastUses, changes] = await Promise.all([
      USES_OF_CLIENTS.run(this.dataSource, [ids, from]),
      LAST_USES_OF_CLIENTS.run(this.dataSource, [ids]),
      CHANGES_OF_CLIENTS.run(this.dataSource, [ids, new Date(from)]),
    ]);
    const [usesOf, lastUsesOf, changesOf] = [byClient(uses), byClient(lastUses), byClient(changes)];
    return clients.map((client) => {
      const { clientId: id } = client;
      const found = { uses: usesOf(id), usedAt: lastUsesOf(id)[0]?.usedAt ?? null, changes: changesOf(id) };
      return this.observed(client, found, occasion);
    });
  }

  private observed(client: StoredClient, found: Found, { days, completeness, sees }: Occasion): Observed {
    const { from, to, now } = days;
    const incompleteDays = completeness.incompleteDays(client, from, to, now);
    const begin = new Date(from);
    const isForgotten = client.updatedAt >= begin && this.retention.keptFrom(now) > begin;
    // Its counts ended when it was deleted.
    const wasDeleted = found.changes.some(({ kind }) => kind === 'restored');
    const isUnsettled = found.changes.length === MAX_CHANGES;
    if (incompleteDays.length > 0 || isForgotten || wasDeleted || isUnsettled) return { incompleteDays };
    const secrets = validSecrets(client, now);
    const { uses, usedAt, changes } = found;
    const observation = { from: begin, uses, secrets, changes, sees };
    return { observation: { ...observation, lastUsedAt: lastUse(uses, secrets, usedAt) } };
  }
}

interface Found {
  readonly uses: readonly ObservedUse[];
  readonly usedAt: Date | null;
  readonly changes: readonly ObservedChange[];
}

function byClient<Row extends { readonly clientId: string }>(rows: readonly Row[]): (id: string) => Row[] {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const known = found.get(row.clientId);
    if (known) known.push(row);
    else found.set(row.clientId, [row]);
  }
  return (id) => found.get(id) ?? [];
}

function validSecrets({ secrets }: StoredClient, now: Date): ObservedSecret[] {
  const isOver = (end: string | null) => end !== null && new Date(end) <= now;
  return secrets
    .filter(({ expiresAt, foreignUntil }) => !isOver(expiresAt) && !isOver(foreignUntil))
    .map(({ hint, createdAt, lastUsedAt }) => ({
      hint,
      createdAt: new Date(createdAt),
      lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    }));
}

/** The Client's own time may be older than its counts; that of a secret is from before usage was recorded. */
function lastUse(
  uses: readonly ObservedUse[],
  secrets: readonly ObservedSecret[],
  usedAt: Date | null,
): Date | null {
  const accepted = uses.filter(({ use }) => use.refusal === undefined).map(({ lastAt }) => lastAt);
  return [...accepted, ...secrets.map(({ lastUsedAt }) => lastUsedAt), usedAt].reduce(
    (latest, at) => (at && (!latest || at > latest) ? at : latest),
    null,
  );
}
