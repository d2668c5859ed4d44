import { StatementValues } from '../../database/statement-values.js';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { queryToRead } from '../../database/prepared-statement.js';
import type { StoredClient } from '../stored-client.js';
import { facetConditions, remainingConditions } from './filter-conditions.js';
import type { ClientFilter, FoundClient, PageRequest } from './page-request.js';
import {
  byIndex,
  filterAndSort,
  mergeFacets,
  type PageRow,
  scan,
  scanFacets,
  type Statement,
} from './page-statements.js';

/** Clients are counted up to this many. */
const MAX_EXACT_TOTAL = 10_000;

/** More facets than this are not merged: each costs a descent into an index. */
const MAX_MERGED_FACETS = 500;

/** The first scan tests this many Clients per wanted one, and no fewer than `least`: it finds common ones. */
const FIRST_STEPS = { each: 6, least: 300 };

/** If the first scan is not enough, a second one of `few` steps estimates how many would be; `most` is the limit. */
const ORDER_STEPS = { few: 4_000, most: 20_000 };

/** Index entries read in all, over all facets. */
const MOST_FACET_ENTRIES = 60_000;

/** Matches are spread unevenly, so half as many again are scanned. */
const MARGIN = 1.5;

/** One of the ways to scan the next Clients one by one. */
interface Scan {
  readonly next: (steps: number) => Statement;
  /** Steps of an intermediate scan: the first one says little about rare Clients. Absent where it says enough. */
  readonly few?: number;
  readonly most: number;
}

export interface ClientTotal {
  readonly total: number;
  /** False: there are more than `total`. */
  readonly isExact: boolean;
}

/** Finds and counts Clients. */
@Injectable()
export class ClientFinder {
  constructor(private readonly dataSource: DataSource) {}

  /** In order, at most `limit`; fewer only when there are no more. */
  async find(request: PageRequest): Promise<FoundClient[]> {
    const { owner } = request;
    const facets = await this.readFacets(request.filter, owner);
    if (facets?.length === 0) return [];
    if (remainingConditions(request.filter, request.order, new StatementValues()).length === 0) {
      if (!facets) return toFound(await this.run(byIndex(request), owner));
      if (facets.length <= MAX_MERGED_FACETS)
        return toFound(await this.run(mergeFacets(request, facets), owner));
    }
    return (
      (await this.scanFacets(request, facets)) ??
      (await this.scanOrder(request, facets)) ??
      toFound(await this.run(filterAndSort(request, facets), owner))
    );
  }

  /** @param owner id of the caller */
  async count(filter: ClientFilter, owner: string): Promise<ClientTotal> {
    const facets = await this.readFacets(filter, owner);
    const values = new StatementValues();
    const conditions = remainingConditions(filter, undefined, values);
    const limit = values.add(MAX_EXACT_TOTAL + 1);
    const counted =
      facets && conditions.length === 0
        ? eachOf(values.add(facets), limit)
        : allOf(
            [...conditions, ...(facets ? [`c.facet = ANY (${values.add(facets)}::bigint[])`] : [])],
            limit,
          );
    const [row] = await queryToRead<{ total: number }>(
      this.dataSource,
      'count_clients',
      `SELECT count(*)::int AS total FROM (${counted}) counted`,
      values.list,
      owner,
    );
    const total = row?.total ?? 0;
    return { total: Math.min(total, MAX_EXACT_TOTAL), isExact: total <= MAX_EXACT_TOTAL };
  }

  /** The facets whose Clients match; undefined when the filter has no condition that facets cover. */
  private async readFacets(filter: ClientFilter, owner: string | undefined): Promise<string[] | undefined> {
    const values = new StatementValues();
    const conditions = facetConditions(filter, values);
    if (conditions.length === 0) return undefined;
    const text = `${FACETS} SELECT facet FROM facets WHERE ${conditions.join(' AND ')}`;
    const rows = await queryToRead<{ facet: string }>(
      this.dataSource,
      'find_facets',
      text,
      values.list,
      owner,
    );
    return rows.map(({ facet }) => facet);
  }

  private async scanFacets(
    request: PageRequest,
    facets: readonly string[] | undefined,
  ): Promise<FoundClient[] | undefined> {
    if (!facets) return undefined;
    const most = MOST_FACET_ENTRIES / facets.length;
    if (firstSteps(request) > most) return undefined;
    return this.scan(request, { next: (steps) => scanFacets(request, facets, steps), most });
  }

  private async scanOrder(
    request: PageRequest,
    facets: readonly string[] | undefined,
  ): Promise<FoundClient[] | undefined> {
    return this.scan(request, { next: (steps) => scan(request, facets, steps), ...ORDER_STEPS });
  }

  /** Scans more Clients while that seems likely to fill the page. */
  private async scan(
    request: PageRequest,
    { next, few = 0, most }: Scan,
  ): Promise<FoundClient[] | undefined> {
    let steps = firstSteps(request);
    for (;;) {
      const rows = await this.run(next(steps), request.owner);
      const clients = toFound(rows);
      if (clients.length === request.limit || Number(rows[0]?.scanned) < steps) return clients;
      const needed = Math.ceil((MARGIN * steps * request.limit) / clients.length);
      if (steps < few) steps = Math.min(needed, few);
      else if (needed <= most) steps = needed;
      else return undefined;
    }
  }

  private async run({ text, values }: Statement, owner: string | undefined): Promise<PageRow[]> {
    return queryToRead(this.dataSource, 'find_clients', text, values, owner);
  }
}

/** Skips from each facet in use to the next, and reads one Client of each: the others have the same values. */
const FACETS = `
  WITH RECURSIVE facets AS (
    (SELECT facet, enabled, warnings, metadata FROM client ORDER BY facet LIMIT 1)
    UNION ALL
    SELECT next.* FROM facets CROSS JOIN LATERAL (
      SELECT c.facet, c.enabled, c.warnings, c.metadata FROM client c
      WHERE c.facet > facets.facet ORDER BY c.facet LIMIT 1
    ) next
  )`;

/** Facet by facet through its index, so that counting stops at the one that reaches the limit. */
function eachOf(facets: string, limit: string): string {
  return `SELECT FROM unnest(${facets}::bigint[]) AS f (facet) CROSS JOIN LATERAL (
            SELECT FROM client c WHERE c.facet = f.facet LIMIT ${limit}) one LIMIT ${limit}`;
}

/** Conditions that facets do not cover are evaluated once for all facets, not once for each. */
function allOf(conditions: readonly string[], limit: string): string {
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT FROM client c ${where} LIMIT ${limit}`;
}

function toFound(rows: readonly PageRow[]): FoundClient[] {
  return rows
    .filter(({ clientId }) => clientId !== null)
    .map(({ key, scanned: _scanned, ...client }) => ({
      client: client as StoredClient,
      position: { key: key instanceof Date ? key.getTime() : String(key), clientId: String(client.clientId) },
    }));
}

function firstSteps({ limit }: PageRequest): number {
  return Math.max(FIRST_STEPS.least, FIRST_STEPS.each * limit);
}
