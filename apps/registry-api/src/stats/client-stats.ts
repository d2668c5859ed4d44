import { AGES_IN_DAYS, type FacetCount, type SecretCounts, SOON_IN_DAYS } from './stats-statements.js';

/** How many fall into a span of time; nothing counts in two spans. */
export interface AgeGroup {
  /** Not longer ago than this; absent: longer ago than all others. */
  readonly within_days?: number;
  readonly count: number;
}

/** What an overview shows. */
export interface ClientStats {
  readonly clients: number;
  readonly enabled: number;
  readonly disabled: number;
  readonly with_warnings: number;
  /** The most frequent first. */
  readonly warnings: readonly { readonly code: string; readonly clients: number }[];
  /** Clients by the time since their registration. */
  readonly age: readonly AgeGroup[];
  /** Secrets that are valid now, of Clients that authenticate themselves. */
  readonly secrets: {
    readonly count: number;
    /** By the time since a check found them valid; those that none ever did are apart. */
    readonly last_use: readonly AgeGroup[];
    readonly never_used: number;
    /** That end within so many days; those of a shorter span count in the longer ones, too. */
    readonly expiring: readonly { readonly within_days: number; readonly count: number }[];
  };
}

/** @param registered Clients registered within each of `AGES_IN_DAYS` */
export function toClientStats(
  facets: readonly FacetCount[],
  registered: readonly number[],
  { secrets, used, never, expiring }: SecretCounts,
): ClientStats {
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
