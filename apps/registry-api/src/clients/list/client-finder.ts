import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StatementValues } from '../../database/statement-values.js';
import type { StoredClient } from '../stored-client.js';
import { readFacets } from './client-facets.js';
import { remainingConditions } from './filter-conditions.js';
import { inOrder, mergeFacets, type PageRow, sift, type Statement, walk } from './page-statements.js';
import type { FoundClient, WantedClients } from './wanted-clients.js';

/** Clients that are looked at one by one before the search goes by the filter instead. */
const STEPS = 4_000;

/** More facets than this are not merged: each costs a descent into an index. */
const MAX_MERGED_FACETS = 500;

/** Finds Clients page by page. */
@Injectable()
export class ClientFinder {
  constructor(private readonly dataSource: DataSource) {}

  /** In order, at most `limit`; fewer only when there are no more. */
  async find(wanted: WantedClients): Promise<FoundClient[]> {
    const facets = await readFacets(this.dataSource, wanted.filter);
    if (facets?.length === 0) return [];
    if (remainingConditions(wanted.filter, wanted.order, new StatementValues()).length === 0) {
      if (!facets) return found(await this.run(inOrder(wanted)));
      if (facets.length <= MAX_MERGED_FACETS) return found(await this.run(mergeFacets(wanted, facets)));
    }
    const rows = await this.run(walk(wanted, facets, STEPS));
    const clients = found(rows);
    const isWhole = clients.length === wanted.limit || Number(rows[0]?.walked) < STEPS;
    return isWhole ? clients : found(await this.run(sift(wanted, facets)));
  }

  private async run({ text, values }: Statement): Promise<PageRow[]> {
    return this.dataSource.query<PageRow[]>(text, [...values]);
  }
}

function found(rows: readonly PageRow[]): FoundClient[] {
  return rows
    .filter(({ clientId }) => clientId !== null)
    .map(({ key, walked: _walked, ...client }) => ({
      client: client as StoredClient,
      position: { key: key instanceof Date ? key.getTime() : String(key), clientId: String(client.clientId) },
    }));
}
