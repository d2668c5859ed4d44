import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readHorizon } from '../change-horizon.js';
import type { StoredClient } from '../stored-client.js';
import type { ClientFilter } from './client-filter.js';
import { ClientFinder } from './client-finder.js';
import { orderOf, type Sort } from './client-order.js';
import { type ClientTotal, countClients } from './client-total.js';
import { fromCursor, listIdOf, toCursor } from './list-cursor.js';

/** One page of a list. */
export interface ClientPage {
  readonly clients: readonly StoredClient[];
  /** What asks for the next page; absent on the last one. */
  readonly next?: string;
  /** The walk through the list reflects every change up to this one: whoever follows the changes begins here. */
  readonly seq: number;
  readonly total?: ClientTotal;
}

/** What is asked of a list. */
export interface ListRequest {
  readonly filter: ClientFilter;
  readonly sort: Sort;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly withTotal: boolean;
}

@Injectable()
export class ClientListService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ClientFinder,
  ) {}

  /**
   * A walk through all pages meets every Client that was there all the time, and kept its place in the order, once.
   *
   * @throws {RegistryError} `invalid_cursor`
   */
  async list({ filter, sort, limit, cursor, withTotal }: ListRequest): Promise<ClientPage> {
    const order = orderOf(sort);
    const listId = listIdOf(sort, filter);
    const before = cursor === undefined ? undefined : fromCursor(cursor, listId, order.isTime);
    // Before the page is read: what is committed up to there, the page shows.
    const seq = before?.seq ?? (await readHorizon(this.dataSource)).lastSeq;
    const [found, total] = await Promise.all([
      this.finder.find({ filter, order, limit: limit + 1, after: before?.after }),
      withTotal ? countClients(this.dataSource, filter) : undefined,
    ]);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      clients: page.map(({ client }) => client),
      seq,
      ...(found.length > limit && last && { next: toCursor(listId, { after: last.position, seq }) }),
      ...(total && { total }),
    };
  }
}
