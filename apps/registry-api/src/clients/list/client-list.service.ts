import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { readLastChange } from '../change-statements.js';
import type { StoredClient } from '../stored-client.js';
import { ClientFinder, type ClientTotal } from './client-finder.js';
import { fromCursor, listIdOf, toCursor } from './list-cursor.js';
import { type ClientFilter, orderOf, type Sort } from './page-request.js';

/** One page of a list. */
export interface ClientPage {
  readonly clients: readonly StoredClient[];
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string;
  /** The pages together reflect every change up to this one, from where the change feed continues. */
  readonly seq: string;
  readonly total?: ClientTotal;
}

/** A request for one page. */
export interface ListRequest {
  readonly filter: ClientFilter;
  readonly sort: Sort;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
  readonly withTotal: boolean;
  /** Id of the caller. */
  readonly owner: string;
}

@Injectable()
export class ClientListService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ClientFinder,
  ) {}

  /**
   * The pages together list each Client once that exists throughout and keeps its place in the order.
   *
   * @throws {RegistryError} `invalid_cursor`
   */
  async list({ filter, sort, limit, cursor, withTotal, owner }: ListRequest): Promise<ClientPage> {
    const order = orderOf(sort);
    const listId = listIdOf(sort, filter);
    const before = cursor === undefined ? undefined : fromCursor(cursor, listId, order.isTime);
    // Read before the page, so that the page reflects everything committed up to it.
    const seq = before?.seq ?? (await readLastChange(this.dataSource));
    const [found, total] = await Promise.all([
      this.finder.find({ filter, order, limit: limit + 1, owner, after: before?.after }),
      withTotal ? this.finder.count(filter, owner) : undefined,
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
