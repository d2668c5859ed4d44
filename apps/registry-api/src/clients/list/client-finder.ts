import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StatementValues } from '../../database/statement-values.js';
import type { StoredClient } from '../stored-client.js';
import { readFacets } from './client-facets.js';
import { remainingConditions } from './filter-conditions.js';
import {
  inOrder,
  mergeFacets,
  type PageRow,
  sift,
  type Statement,
  walk,
  walkFacets,
} from './page-statements.js';
import type { FoundClient, WantedClients } from './wanted-clients.js';

/** More facets than this are not merged: each costs a descent into an index. */
const MAX_MERGED_FACETS = 500;

/** So many Clients are looked at first for each that is wanted, and no less than the least: what is common is there. */
const FIRST_STEPS = { each: 6, least: 300 };

/** A few more when the first do not do, which says how many would; and as many at most. */
const ORDER_STEPS = { few: 4_000, most: 20_000 };

/** As many entries are read at most of all facets together. */
const MOST_FACET_ENTRIES = 60_000;

/** What fits is spread unevenly: half as much again is looked at. */
const MARGIN = 1.5;

/** One of the ways to look at the next Clients one by one. */
interface Walk {
  readonly next: (steps: number) => Statement;
  /** Before more are looked at: what the first say of rare Clients is a guess. Absent where the first say enough. */
  readonly few?: number;
  readonly most: number;
}

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
    return (
      (await this.walkFacets(wanted, facets)) ??
      (await this.walkOrder(wanted, facets)) ??
      found(await this.run(sift(wanted, facets)))
    );
  }

  private async walkFacets(
    wanted: WantedClients,
    facets: readonly string[] | undefined,
  ): Promise<FoundClient[] | undefined> {
    if (!facets) return undefined;
    const most = MOST_FACET_ENTRIES / facets.length;
    if (firstSteps(wanted) > most) return undefined;
    return this.look(wanted, { next: (steps) => walkFacets(wanted, facets, steps), most });
  }

  private async walkOrder(
    wanted: WantedClients,
    facets: readonly string[] | undefined,
  ): Promise<FoundClient[] | undefined> {
    return this.look(wanted, { next: (steps) => walk(wanted, facets, steps), ...ORDER_STEPS });
  }

  /** Looks at more Clients as long as that seems to lead to a whole page. */
  private async look(
    wanted: WantedClients,
    { next, few = 0, most }: Walk,
  ): Promise<FoundClient[] | undefined> {
    let steps = firstSteps(wanted);
    for (;;) {
      const rows = await this.run(next(steps));
      const clients = found(rows);
      if (clients.length === wanted.limit || Number(rows[0]?.walked) < steps) return clients;
      const needed = Math.ceil((MARGIN * steps * wanted.limit) / clients.length);
      if (steps < few) steps = Math.min(needed, few);
      else if (needed <= most) steps = needed;
      else return undefined;
    }
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

function firstSteps({ limit }: WantedClients): number {
  return Math.max(FIRST_STEPS.least, FIRST_STEPS.each * limit);
}
