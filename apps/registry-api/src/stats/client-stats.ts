import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { USES_SECRETS } from '../clients/list/filter-conditions.js';

/** How many fall into a span of time. Spans do not overlap. */
export class AgeGroup {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'At most this many days ago; absent: longer ago than all others.',
    example: 7,
  })
  readonly within_days?: number;

  @ApiCount()
  readonly count!: number;
}

export class WarningCount {
  @ApiProperty({ description: 'Code of the warning.', example: 'weak_pkce' })
  readonly code!: string;

  @ApiCount('Clients with this warning.')
  readonly clients!: number;
}

export class LabelCount {
  @ApiProperty({ description: 'As the filter `label` names it.', example: 'team:shop' })
  readonly label!: string;

  @ApiCount('Clients with this label.')
  readonly clients!: number;
}

export class ManagerCount {
  @ApiPropertyOptional({
    description: 'users, developers, import or set:<name>; absent where it is not known.',
    example: 'users',
  })
  readonly managed_by?: string;

  @ApiCount('Clients that it manages.')
  readonly clients!: number;
}

export class ExpiringCount {
  @ApiProperty({ type: 'integer', example: 30 })
  readonly within_days!: number;

  @ApiCount()
  readonly count!: number;
}

/** Currently valid secrets of Clients that are not public. */
export class SecretStats {
  @ApiCount()
  readonly count!: number;

  @ApiProperty({
    type: [AgeGroup],
    description: 'By the time since they last passed a check; secrets that never did are in `never_used`.',
  })
  readonly last_use!: readonly AgeGroup[];

  @ApiCount('Secrets that never passed a check.')
  readonly never_used!: number;

  @ApiCount('Secrets that are still hashed as in the product that they were imported from.', 0)
  readonly imported_hashes!: number;

  @ApiProperty({
    type: [ExpiringCount],
    description: 'Secrets that expire within this many days; each span includes the shorter ones.',
  })
  readonly expiring!: readonly ExpiringCount[];
}

/** Clients by their last use. */
export class UsageStats {
  @ApiProperty({
    type: [AgeGroup],
    description:
      'By the time since a request or a secret was last accepted; those of `never_used` are left out.',
  })
  readonly last_use!: readonly AgeGroup[];

  @ApiCount('Clients of which no request and no secret was ever accepted.')
  readonly never_used!: number;

  @ApiCount('Clients of which a request or a secret was refused in the last 24 hours.')
  readonly refused!: number;
}

/** Statistics for an overview, and the time they were counted. */
export class ClientStats {
  @ApiProperty({
    format: 'date-time',
    description: 'When they were counted: up to 10 s ago.',
    example: '2026-11-21T08:00:00.000Z',
  })
  readonly as_of!: string;

  @ApiCount(undefined, 2)
  readonly clients!: number;

  @ApiCount()
  readonly enabled!: number;

  @ApiCount()
  readonly disabled!: number;

  @ApiCount('Clients that developers registered and nobody has enabled yet; they count as disabled, too.', 0)
  readonly pending!: number;

  @ApiCount('Clients with at least one warning.')
  readonly with_warnings!: number;

  @ApiProperty({ type: [WarningCount], description: 'Clients with each warning, the most frequent first.' })
  readonly warnings!: readonly WarningCount[];

  @ApiProperty({ type: [LabelCount], description: 'The 100 most frequent labels, the most frequent first.' })
  readonly labels!: readonly LabelCount[];

  @ApiProperty({
    type: [ManagerCount],
    description: 'Clients by what manages them, most first; at most 100.',
  })
  readonly managers!: readonly ManagerCount[];

  @ApiProperty({ type: [AgeGroup], description: 'Clients by the time since their registration.' })
  readonly age!: readonly AgeGroup[];

  @ApiProperty({ description: 'Currently valid secrets of Clients that are not public.' })
  readonly secrets!: SecretStats;

  @ApiProperty({ description: 'Clients by their last use.' })
  readonly usage!: UsageStats;
}

function ApiCount(description?: string, example = 1) {
  return ApiProperty({ type: 'integer', minimum: 0, ...(description && { description }), example });
}

/** @param registered Clients registered within each of `AGES_IN_DAYS` */
export function toClientStats(
  facets: readonly FacetCount[],
  registered: readonly number[],
  { secrets, used, never, foreign, expiring }: SecretCounts,
): Omit<ClientStats, 'as_of' | 'pending' | 'labels' | 'managers' | 'usage'> {
  const clients = sum(facets);
  const enabled = sum(facets.filter((facet) => facet.enabled));
  return {
    clients,
    enabled,
    disabled: clients - enabled,
    with_warnings: sum(facets.filter(({ warnings }) => (warnings?.length ?? 0) > 0)),
    warnings: byWarning(facets),
    age: ageGroups(registered, clients),
    secrets: {
      count: secrets,
      last_use: ageGroups(used, secrets - never),
      never_used: never,
      imported_hashes: foreign,
      expiring: SOON_IN_DAYS.map((days, index) => ({ within_days: days, count: expiring[index] ?? 0 })),
    },
  };
}

/** @param clients how many there are */
export function toUsageStats({ used, never, refused }: UsageCounts, clients: number): UsageStats {
  return { last_use: ageGroups(used, clients - never), never_used: never, refused };
}

function sum(counts: readonly FacetCount[]): number {
  return counts.reduce((total, { clients }) => total + clients, 0);
}

function byWarning(facets: readonly FacetCount[]): ClientStats['warnings'] {
  const counts = new Map<string, number>();
  for (const { warnings, clients } of facets) {
    for (const code of warnings ?? []) counts.set(code, (counts.get(code) ?? 0) + clients);
  }
  return [...counts]
    .map(([code, clients]) => ({ code, clients }))
    .sort((a, b) => b.clients - a.clients || a.code.localeCompare(b.code));
}

/** @param within counts for `AGES_IN_DAYS`, each of which includes those before it */
function ageGroups(within: readonly number[], total: number): AgeGroup[] {
  const groups = AGES_IN_DAYS.map((days, index) => ({
    within_days: days,
    count: (within[index] ?? 0) - (within[index - 1] ?? 0),
  }));
  // The counts were taken a moment apart, so a difference could be negative.
  return [...groups, { count: Math.max(0, total - (within.at(-1) ?? 0)) }];
}

/** Upper limits of ages. What is older than all of them is counted separately. */
const AGES_IN_DAYS = [1, 7, 30, 90, 365] as const;

/** Upper limits of the time until secrets expire. */
const SOON_IN_DAYS = [1, 7, 30] as const;

/** Clients with the same state and warnings. */
interface FacetCount {
  readonly clients: number;
  readonly enabled: boolean;
  readonly warnings: readonly string[] | null;
}

/** Clients by their last use. */
interface UsageCounts {
  /** Last used within each of `AGES_IN_DAYS`. */
  readonly used: readonly number[];
  readonly never: number;
  readonly refused: number;
}

/** Currently valid secrets of clients that use them. */
interface SecretCounts {
  readonly secrets: number;
  /** Last used within each of `AGES_IN_DAYS`. */
  readonly used: readonly number[];
  /** Never used. */
  readonly never: number;
  /** With the hash of another product. */
  readonly foreign: number;
  /** That expire within each of `SOON_IN_DAYS`. */
  readonly expiring: readonly number[];
}

/** Labels and managers listed. */
const MOST_LISTED = 100;

const agesOf = (column: string) =>
  AGES_IN_DAYS.map((days) => `count(*) FILTER (WHERE ${column} > now() - interval '${days} days')`);
const endsOf = (column: string) =>
  SOON_IN_DAYS.map((days) => `count(*) FILTER (WHERE ${column} <= now() + interval '${days} days')`);

/** A statement that counts. */
export interface Count<Row> {
  readonly name: string;
  /** @param reached the condition on `client c` that the caller reaches it */
  readonly text: (reached: string) => string;
  /** Of the rows, for the compiler alone. */
  readonly row?: Row;
}

/*
 * Each of these scans a whole index or table, which takes about a second for a million clients, so the result is cached.
 */

export const FACET_COUNTS: Count<FacetCount> = {
  name: 'stats_of_facets',
  text: (reached) =>
    `SELECT n.clients, one.enabled, one.warnings
     FROM (SELECT c.facet, count(*)::int AS clients FROM client c WHERE ${reached} GROUP BY c.facet) n
     CROSS JOIN LATERAL (SELECT o.enabled, o.warnings FROM client o WHERE o.facet = n.facet LIMIT 1) one`,
};

/** Clients registered within each of `AGES_IN_DAYS`. */
export const AGE_COUNTS: Count<{ registered: number[] }> = {
  name: 'stats_of_ages',
  text: (reached) =>
    `SELECT json_build_array(${agesOf('c.created_at').join(', ')}) AS registered FROM client c
     WHERE c.created_at > now() - interval '${AGES_IN_DAYS.at(-1)} days' AND ${reached}`,
};

export const PENDING_COUNT: Count<{ pending: number }> = {
  name: 'stats_of_pending',
  text: (reached) => `SELECT count(*)::int AS pending FROM client c WHERE c.pending AND ${reached}`,
};

export const USAGE_COUNTS: Count<UsageCounts> = {
  name: 'stats_of_usage',
  text: (reached) =>
    `SELECT (count(*) FILTER (WHERE l.at IS NULL))::int AS never,
            (count(*) FILTER (WHERE r.refused_at > now() - interval '1 day'))::int AS refused,
            json_build_array(${agesOf('l.at').join(', ')}) AS used
     FROM client c LEFT JOIN client_last_use r USING (client_id) LEFT JOIN (
       SELECT client_id, max(at) AS at FROM (
         SELECT client_id, used_at AS at FROM client_last_use
         UNION ALL SELECT client_id, last_used_at FROM client_secret
       ) uses GROUP BY client_id
     ) l USING (client_id) WHERE ${reached}`,
};

export const SECRET_COUNTS: Count<SecretCounts> = {
  name: 'stats_of_secrets',
  text: (reached) =>
    `SELECT count(*)::int AS secrets, (count(*) FILTER (WHERE s.last_used_at IS NULL))::int AS never,
            count(s.foreign_hash)::int AS "foreign",
            json_build_array(${agesOf('s.last_used_at').join(', ')}) AS used,
            json_build_array(${endsOf('s.expires_at').join(', ')}) AS expiring
     FROM client_secret s JOIN client c USING (client_id)
     WHERE c.${USES_SECRETS} AND (s.expires_at IS NULL OR s.expires_at > now())
       AND (s.foreign_until IS NULL OR s.foreign_until > now()) AND ${reached}`,
};

/** The most frequent labels. */
export const LABEL_COUNTS: Count<{ key: string; value: string; clients: number }> = {
  name: 'stats_of_labels',
  text: (reached) =>
    `SELECT l.key, l.value, count(*)::int AS clients FROM client c CROSS JOIN LATERAL jsonb_each_text(c.labels) l
     WHERE c.labels <> '{}' AND ${reached}
     GROUP BY l.key, l.value ORDER BY clients DESC, l.key, l.value LIMIT ${MOST_LISTED}`,
};

export const MANAGER_COUNTS: Count<{ managedBy: string | null; clients: number }> = {
  name: 'stats_of_managers',
  text: (reached) =>
    `SELECT c.managed_by AS "managedBy", count(*)::int AS clients FROM client c WHERE ${reached}
     GROUP BY c.managed_by ORDER BY clients DESC, c.managed_by LIMIT ${MOST_LISTED}`,
};
