import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AGES_IN_DAYS, type FacetCount, type SecretCounts, SOON_IN_DAYS } from './stats-statements.js';

/** How many fall into a span of time; none counts in two spans. */
export class AgeGroup {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'At most so many days ago; absent: longer ago than all others.',
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

export class ExpiringCount {
  @ApiProperty({ type: 'integer', example: 30 })
  readonly within_days!: number;

  @ApiCount()
  readonly count!: number;
}

/** Secrets that are valid now, of Clients that authenticate themselves. */
export class SecretStats {
  @ApiCount()
  readonly count!: number;

  @ApiProperty({
    type: [AgeGroup],
    description: 'By the time since they last passed a check; those that never did are in `never_used`.',
  })
  readonly last_use!: readonly AgeGroup[];

  @ApiCount('Secrets that never passed a check.')
  readonly never_used!: number;

  @ApiProperty({
    type: [ExpiringCount],
    description:
      'Secrets that end within so many days; those of a shorter span count in the longer ones too.',
  })
  readonly expiring!: readonly ExpiringCount[];
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

  @ApiCount('Clients with at least one warning.')
  readonly with_warnings!: number;

  @ApiProperty({ type: [WarningCount], description: 'Clients with each warning, the most frequent first.' })
  readonly warnings!: readonly WarningCount[];

  @ApiProperty({ type: [AgeGroup], description: 'Clients by the time since their registration.' })
  readonly age!: readonly AgeGroup[];

  @ApiProperty({ description: 'Secrets that are valid now, of Clients that authenticate themselves.' })
  readonly secrets!: SecretStats;
}

function ApiCount(description?: string, example = 1) {
  return ApiProperty({ type: 'integer', minimum: 0, ...(description && { description }), example });
}

/** @param registered Clients registered within each of `AGES_IN_DAYS` */
export function toClientStats(
  facets: readonly FacetCount[],
  registered: readonly number[],
  { secrets, used, never, expiring }: SecretCounts,
): Omit<ClientStats, 'as_of'> {
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
      expiring: SOON_IN_DAYS.map((days, index) => ({ within_days: days, count: expiring[index] ?? 0 })),
    },
  };
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

/** @param within counts for `AGES_IN_DAYS`, each of which holds those before it */
function ageGroups(within: readonly number[], total: number): AgeGroup[] {
  const groups = AGES_IN_DAYS.map((days, index) => ({
    within_days: days,
    count: (within[index] ?? 0) - (within[index - 1] ?? 0),
  }));
  // Counted a moment apart, so that a difference might fall below 0.
  return [...groups, { count: Math.max(0, total - (within.at(-1) ?? 0)) }];
}
