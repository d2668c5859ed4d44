import type { DataSource } from 'typeorm';
import { StatementValues } from '../../database/statement-values.js';
import { readFacets } from './client-facets.js';
import type { ClientFilter } from './client-filter.js';
import { remainingConditions } from './filter-conditions.js';

/** Clients are counted up to this many. */
export const MAX_EXACT_TOTAL = 10_000;

/** How many Clients there are. */
export interface ClientTotal {
  readonly total: number;
  /** False: there are more than `total`. */
  readonly isExact: boolean;
}

/** Counts the Clients that a filter wants. */
export async function countClients(dataSource: DataSource, filter: ClientFilter): Promise<ClientTotal> {
  const facets = await readFacets(dataSource, filter);
  const values = new StatementValues();
  const conditions = remainingConditions(filter, undefined, values);
  const limit = values.add(MAX_EXACT_TOTAL + 1);
  const counted =
    facets && conditions.length === 0
      ? eachOf(values.add(facets), limit)
      : allOf([...conditions, ...(facets ? [`c.facet = ANY (${values.add(facets)}::bigint[])`] : [])], limit);
  const [row] = await dataSource.query<{ total: number }[]>(
    `SELECT count(*)::int AS total FROM (${counted}) counted`,
    values.list,
  );
  const total = row?.total ?? 0;
  return { total: Math.min(total, MAX_EXACT_TOTAL), isExact: total <= MAX_EXACT_TOTAL };
}

/** One facet after the other by its index, so that counting ends with the first one that fills the limit. */
function eachOf(facets: string, limit: string): string {
  return `SELECT FROM unnest(${facets}::bigint[]) AS f (facet) CROSS JOIN LATERAL (
            SELECT FROM client c WHERE c.facet = f.facet LIMIT ${limit}) one LIMIT ${limit}`;
}

/** What the facet cannot say is looked up once for all of them, not once for each. */
function allOf(conditions: readonly string[], limit: string): string {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT FROM client c ${where} LIMIT ${limit}`;
}
