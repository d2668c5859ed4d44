import type { DataSource } from 'typeorm';
import { StatementValues } from '../../database/statement-values.js';
import type { ClientFilter } from './client-filter.js';
import { facetConditions } from './filter-conditions.js';

/** Hops from each facet in use to the next, and reads one Client of it: all others of it have the same values. */
const FACETS = `
  WITH RECURSIVE facets AS (
    (SELECT facet, enabled, warnings, metadata FROM client ORDER BY facet LIMIT 1)
    UNION ALL
    SELECT next.* FROM facets CROSS JOIN LATERAL (
      SELECT c.facet, c.enabled, c.warnings, c.metadata FROM client c
      WHERE c.facet > facets.facet ORDER BY c.facet LIMIT 1
    ) next
  )`;

/** The facets of the Clients that a filter wants; nothing when the filter says nothing that facets cover. */
export async function readFacets(
  dataSource: DataSource,
  filter: ClientFilter,
): Promise<string[] | undefined> {
  const values = new StatementValues();
  const conditions = facetConditions(filter, values);
  if (conditions.length === 0) return undefined;
  const text = `${FACETS} SELECT facet FROM facets WHERE ${conditions.join(' AND ')}`;
  const rows = await dataSource.query<{ facet: string }[]>(text, values.list);
  return rows.map(({ facet }) => facet);
}
