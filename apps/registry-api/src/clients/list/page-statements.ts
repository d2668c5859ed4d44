import { StatementValues } from '../../database/statement-values.js';
import { selectClientOf, type StoredClient } from '../stored-client.js';
import { rangeConditions, remainingConditions } from './filter-conditions.js';
import type { ClientOrder, PageRequest } from './page-request.js';

/** A statement and the values of its placeholders. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A row of a page; without a Client when it only reports `scanned`. */
export type PageRow = { [Name in keyof StoredClient]: StoredClient[Name] | null } & {
  readonly key: string | Date | null;
  /** How many Clients were tested. */
  readonly scanned: number;
};

/*
 * Five ways to the same page. PostgreSQL's planner must not guess whether to follow the order or the filter: among a
 * million Clients a wrong guess takes a second. Each statement is written to have one sensible plan.
 */

/** Reads an index in its order; tests no condition beyond the index's range. */
export function byIndex({ filter, order, limit, after }: PageRequest): Statement {
  const values = new StatementValues();
  const range = rangeConditions(filter, order, after, values);
  const page = `${select(order)} ${where(range)} ${by(order)} LIMIT ${values.add(limit)}`;
  return statementOf([`page AS (${page})`], order, values);
}

/** Merges the first Clients of each facet, which an index holds in order. */
export function mergeFacets(request: PageRequest, facets: readonly string[]): Statement {
  const values = new StatementValues();
  return statementOf([`page AS (${merged(request, facets, request.limit, values)})`], request.order, values);
}

/** Tests the next `steps` Clients one by one. They may be too few to fill the page: see `scanned`. */
export function scan(request: PageRequest, facets: readonly string[] | undefined, steps: number): Statement {
  const { filter, order, after } = request;
  const values = new StatementValues();
  const range = rangeConditions(filter, order, after, values);
  const fits = restOf(request, facets, values, true).join(' AND ');
  const scanned = `${select(order, `, ${fits} AS fits`)} ${where(range)} ${by(order)} LIMIT ${values.add(steps)}`;
  return scanOf(scanned, request, values);
}

/** The same for the next `steps` Clients of these facets alone. */
export function scanFacets(request: PageRequest, facets: readonly string[], steps: number): Statement {
  const values = new StatementValues();
  const next = merged(request, facets, steps, values);
  const fits = restOf(request, undefined, values, true).join(' AND ');
  const scanned = `
    SELECT next.client_id, next.key, tested.fits FROM (${next}) next
    CROSS JOIN LATERAL (SELECT ${fits} AS fits FROM client c WHERE c.client_id = next.client_id) tested`;
  return scanOf(scanned, request, values);
}

/** Collects every match, through whichever index has the fewest, and sorts them. */
export function filterAndSort(request: PageRequest, facets: readonly string[] | undefined): Statement {
  const { filter, order, limit, after } = request;
  const values = new StatementValues();
  const conditions = [...rangeConditions(filter, order, after, values), ...restOf(request, facets, values)];
  const page = `SELECT client_id, key FROM fitting ${byKey(order)} LIMIT ${values.add(limit)}`;
  const parts = [`fitting AS MATERIALIZED (${select(order)} ${where(conditions)})`, `page AS (${page})`];
  return statementOf(parts, order, values);
}

/** The first Clients of these facets, in order, from an index that holds each facet's in order. */
function merged(
  { filter, order, after }: PageRequest,
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

/** @param scanned selects Clients with their key, and whether each `fits` */
function scanOf(scanned: string, { order, limit }: PageRequest, values: StatementValues): Statement {
  const page = `SELECT client_id, key FROM scanned WHERE fits ${byKey(order)} LIMIT ${values.add(limit)}`;
  const parts = [`scanned AS MATERIALIZED (${scanned})`, `page AS (${page})`];
  return statementOf(parts, order, values, 'SELECT count(*)::int AS scanned FROM scanned');
}

function restOf(
  { filter, order }: PageRequest,
  facets: readonly string[] | undefined,
  values: StatementValues,
  oneByOne = false,
) {
  return [
    ...remainingConditions(filter, order, values, oneByOne),
    ...(facets ? [`c.facet = ANY (${values.add(facets)}::bigint[])`] : []),
  ];
}

/** @param parts named queries, each usable in those after it; the last one is `page`, of `client_id` and `key` */
function statementOf(
  parts: readonly string[],
  order: ClientOrder,
  values: StatementValues,
  scanned = 'SELECT 0 AS scanned',
): Statement {
  const text = `
    WITH ${parts.join(', ')}
    SELECT w.scanned, p.key, d.* FROM (${scanned}) w
    LEFT JOIN (page p CROSS JOIN LATERAL ${selectClientOf('p.client_id')} d) ON true
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
