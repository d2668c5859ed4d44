import { StatementValues } from '../../database/statement-values.js';
import { SELECT_CLIENT } from '../select-client.js';
import type { StoredClient } from '../stored-client.js';
import type { ClientOrder } from './client-order.js';
import { rangeConditions, remainingConditions } from './filter-conditions.js';
import type { WantedClients } from './wanted-clients.js';

/** A statement and what its placeholders stand for. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A row of a page; without a Client when only `walked` is to be told. */
export type PageRow = { [Name in keyof StoredClient]: StoredClient[Name] | null } & {
  readonly key: string | Date | null;
  /** How many Clients were looked at. */
  readonly walked: number;
};

/*
 * Five ways to the same page. PostgreSQL's planner is not left to guess whether to go by the order or by the filter: a
 * wrong guess takes a second among a million Clients. So each statement is written such that it has one sensible plan.
 */

/** Reads an index in its order. Says nothing of what the index's range cannot say. */
export function inOrder({ filter, order, limit, after }: WantedClients): Statement {
  const values = new StatementValues();
  const range = rangeConditions(filter, order, after, values);
  const page = `${select(order)} ${where(range)} ${by(order)} LIMIT ${values.add(limit)}`;
  return statementOf([`page AS (${page})`], order, values);
}

/** Merges the first Clients of each facet, which an index has in order. */
export function mergeFacets(wanted: WantedClients, facets: readonly string[]): Statement {
  const values = new StatementValues();
  return statementOf([`page AS (${merged(wanted, facets, wanted.limit, values)})`], wanted.order, values);
}

/** Looks at the next `steps` Clients one by one. That may be too few to fill the page: `walked` tells. */
export function walk(wanted: WantedClients, facets: readonly string[] | undefined, steps: number): Statement {
  const { filter, order, after } = wanted;
  const values = new StatementValues();
  const range = rangeConditions(filter, order, after, values);
  const fits = restOf(wanted, facets, values, true).join(' AND ');
  const walked = `${select(order, `, ${fits} AS fits`)} ${where(range)} ${by(order)} LIMIT ${values.add(steps)}`;
  return walkOf(walked, wanted, values);
}

/** The same, of the next `steps` Clients of these facets alone. */
export function walkFacets(wanted: WantedClients, facets: readonly string[], steps: number): Statement {
  const values = new StatementValues();
  const next = merged(wanted, facets, steps, values);
  const fits = restOf(wanted, undefined, values, true).join(' AND ');
  const walked = `
    SELECT next.client_id, next.key, judged.fits FROM (${next}) next
    CROSS JOIN LATERAL (SELECT ${fits} AS fits FROM client c WHERE c.client_id = next.client_id) judged`;
  return walkOf(walked, wanted, values);
}

/** Gathers all that fit, by whichever index has the fewest of them, and sorts them. */
export function sift(wanted: WantedClients, facets: readonly string[] | undefined): Statement {
  const { filter, order, limit, after } = wanted;
  const values = new StatementValues();
  const conditions = [...rangeConditions(filter, order, after, values), ...restOf(wanted, facets, values)];
  const page = `SELECT client_id, key FROM fitting ${byKey(order)} LIMIT ${values.add(limit)}`;
  const parts = [`fitting AS MATERIALIZED (${select(order)} ${where(conditions)})`, `page AS (${page})`];
  return statementOf(parts, order, values);
}

/** The first Clients of these facets, in order: from an index that has each facet's in order. */
function merged(
  { filter, order, after }: WantedClients,
  facets: readonly string[],
  count: number,
  values: StatementValues,
): string {
  const range = ['c.facet = f.facet', ...rangeConditions(filter, order, after, values)];
  const limit = values.add(count);
  return `
    SELECT first.client_id, first.key FROM unnest(${values.add(facets)}::bigint[]) AS f (facet)
    CROSS JOIN LATERAL (${select(order)} ${where(range)} ${by(order)} LIMIT ${limit}) first
    ${byKey(order)} LIMIT ${limit}`;
}

/** @param walked a query for Clients with their key, and whether each `fits` */
function walkOf(walked: string, { order, limit }: WantedClients, values: StatementValues): Statement {
  const page = `SELECT client_id, key FROM walked WHERE fits ${byKey(order)} LIMIT ${values.add(limit)}`;
  const parts = [`walked AS MATERIALIZED (${walked})`, `page AS (${page})`];
  return statementOf(parts, order, values, 'SELECT count(*)::int AS walked FROM walked');
}

function restOf(
  { filter, order }: WantedClients,
  facets: readonly string[] | undefined,
  values: StatementValues,
  oneByOne = false,
) {
  return [
    ...remainingConditions(filter, order, values, oneByOne),
    ...(facets ? [`c.facet = ANY (${values.add(facets)}::bigint[])`] : []),
  ];
}

/** @param parts queries that are named for those after them; the last one is `page`, of `client_id` and `key` */
function statementOf(
  parts: readonly string[],
  order: ClientOrder,
  values: StatementValues,
  walked = 'SELECT 0 AS walked',
): Statement {
  const text = `
    WITH ${parts.join(', ')}
    SELECT w.walked, p.key, d.* FROM (${walked}) w
    LEFT JOIN (page p JOIN (${SELECT_CLIENT}) d ON d."clientId" = p.client_id) ON true
    ORDER BY p.key ${order.direction}, p.client_id ${order.direction}`;
  return { text, values: values.list };
}

function select({ column }: ClientOrder, more = ''): string {
  return `SELECT c.client_id, c.${column} AS key${more} FROM client c`;
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

function by({ column, direction }: ClientOrder): string {
  const id = `c.client_id ${direction}`;
  return column === 'client_id' ? `ORDER BY ${id}` : `ORDER BY c.${column} ${direction}, ${id}`;
}

function byKey({ direction }: ClientOrder): string {
  return `ORDER BY key ${direction}, client_id ${direction}`;
}
