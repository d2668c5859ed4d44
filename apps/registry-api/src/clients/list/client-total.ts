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
  const where = (more: readonly string[]) => {
    const all = [...more, ...conditions];
    return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
  };
  const limit = values.add(MAX_EXACT_TOTAL + 1);
  // One facet after the other, so that counting ends with the first one that fills the limit.
  const counted = facets
    ? `SELECT FROM unnest(${values.add(facets)}::bigint[]) AS f (facet) CROSS JOIN LATERAL (
         SELECT FROM client c ${where(['c.facet = f.facet'])} LIMIT ${limit}) one LIMIT ${limit}`
    : `SELECT FROM client c ${where([])} LIMIT ${limit}`;
  const [row] = await dataSource.query<{ total: number }[]>(
    `SELECT count(*)::int AS total FROM (${counted}) counted`,
    values.list,
  );
  const total = row?.total ?? 0;
  return { total: Math.min(total, MAX_EXACT_TOTAL), isExact: total <= MAX_EXACT_TOTAL };
}
