import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiCount } from '@svc/service-kit';
import {
  AGES_IN_DAYS,
  type FacetCount,
  type SecretCounts,
  SOON_IN_DAYS,
  type UsageCounts,
} from './stats-statements.js';

/** How many fall into a span of time. Spans do not overlap. */
export class AgeGroup {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'At most this many days ago; absent: longer ago than all others.',
    example: 7,
  })
  readonly within_days?: number;

  @ApiCount('How many there are of this age.', 1)
  readonly count!: number;
}

export class WarningCount {
  @ApiProperty({ description: 'Code of the warning.', example: 'weak_pkce' })
  readonly code!: string;

  @ApiCount('Clients with this warning.', 1)
  readonly clients!: number;
}

export class LabelCount {
  @ApiProperty({ description: 'In the form that the filter `label` takes.', example: 'team:shop' })
  readonly label!: string;

  @ApiCount('Clients with this label.', 1)
  readonly clients!: number;
}

export class ManagerCount {
  @ApiPropertyOptional({
    description: 'users, developers, import or set:<name>; absent where it is not known.',
    example: 'users',
  })
  readonly managed_by?: string;

  @ApiCount('Clients that it manages.', 1)
  readonly clients!: number;
}

export class ExpiringCount {
  @ApiProperty({ type: 'integer', example: 30 })
  readonly within_days!: number;

  @ApiCount('Secrets that expire by then.', 1)
  readonly count!: number;
}

/** Currently valid secrets of Clients that are not public. */
export class SecretStats {
  @ApiCount('Secrets.', 1)
  readonly count!: number;

  @ApiProperty({
    type: [AgeGroup],
    description: 'By the time since they last passed a check; secrets that never did are in `never_used`.',
  })
  readonly last_use!: readonly AgeGroup[];

  @ApiCount('Secrets that never passed a check.', 1)
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

  @ApiCount('Clients that never had a request or a secret accepted.', 1)
  readonly never_used!: number;

  @ApiCount('Clients that had a request or a secret rejected in the last 24 hours.', 1)
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

  @ApiCount('All clients.', 2)
  readonly clients!: number;

  @ApiCount('Clients that are enabled.', 1)
  readonly enabled!: number;

  @ApiCount('Clients that are disabled.', 1)
  readonly disabled!: number;

  @ApiCount('Clients registered by developers that await approval; they count as disabled, too.', 0)
  readonly pending!: number;

  @ApiCount('Clients with at least one warning.', 1)
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

  @ApiProperty({ description: 'Currently valid secrets of clients that are not public.' })
  readonly secrets!: SecretStats;

  @ApiProperty({ description: 'Clients by their last use.' })
  readonly usage!: UsageStats;
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
