import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { DataSource } from 'typeorm';
import { parsePosition } from '../clients/change-position.js';
import { ClientFinder } from '../clients/list/client-finder.js';
import { ClientFilterQuery } from '../clients/list/list-clients.query.js';
import { type ClientFilter, type FoundClient, orderOf } from '../clients/list/page-request.js';
import { toClientFilter } from '../clients/list/to-client-filter.js';
import type { StoredClient } from '../clients/stored-client.js';
import { inTransaction, type Transaction } from '../database/transaction.js';
import type { StoredProblem } from './client-job.entity.js';
import { ADD_FOUND, END_JOB, INSERT_ITEMS, START_RUNNING, type StoredJob } from './job-statements.js';

/** Clients per step. */
const BATCH = 1_000;

/** Clients of one job. */
const MAX_CLIENTS = 100_000;

/** Finds the Clients of a job before it changes the first one, so that its own changes do not affect which Clients match. */
@Injectable()
export class JobCollector {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: ClientFinder,
  ) {}

  /** @returns false if another replica is working on it, or it has ended */
  async collect(job: StoredJob): Promise<boolean> {
    const after = job.foundUntil === null ? undefined : { key: job.foundUntil, clientId: job.foundUntil };
    const found = await this.finder.find({
      ...{ filter: filterOf(job), order: orderOf('client_id'), limit: BATCH, after },
    });
    const isLast = found.length < BATCH;
    return inTransaction(this.dataSource, async (transaction) => {
      const items = itemsOf(job, found, isLast);
      const total = await add(transaction, job, items, found.at(-1)?.client.clientId);
      if (total === undefined) return false;
      const problem = problemOf(job, total, isLast);
      if (problem) await END_JOB.run(transaction, [job.id, 'failed', JSON.stringify(problem), new Date()]);
      else if (isLast) await START_RUNNING.run(transaction, [job.id]);
      return true;
    });
  }
}

/** Why the job changes nothing; undefined if it may go on. */
function problemOf({ expectedTotal }: StoredJob, total: number, isLast: boolean): StoredProblem | undefined {
  if (total > MAX_CLIENTS) {
    const detail = `More than ${MAX_CLIENTS.toLocaleString('en')} clients match; nothing was changed.`;
    return { error: 'too_many_clients', detail };
  }
  if (!isLast || expectedTotal === null || total === expectedTotal) return undefined;
  const detail = `${total} clients match instead of ${expectedTotal}; nothing was changed.`;
  return { error: 'unexpected_total', detail };
}

/** @returns how many there are now; undefined if another replica was faster */
async function add(
  transaction: Transaction,
  { id, foundUntil }: StoredJob,
  items: readonly Item[],
  last: string | undefined,
): Promise<number | undefined> {
  const values = [id, foundUntil, last ?? null, items.length];
  const [row] = await ADD_FOUND.run(transaction, values);
  if (!row || items.length === 0) return row?.total;
  const rows = items.map((item, position) => ({ position, ...item }));
  await INSERT_ITEMS.run(transaction, [id, row.total - items.length, JSON.stringify(rows)]);
  return row.total;
}

interface Item {
  readonly client_id: string;
  readonly client_name?: string;
  /** Absent: it cannot be changed. */
  readonly revision?: string;
}

/** Clients registered since are not part of the job; those changed since are, and fail: their state at the start is unknown. */
function itemsOf(
  { since, createdAt, clientIds }: StoredJob,
  found: readonly FoundClient[],
  isLast: boolean,
): Item[] {
  // Of changes, the order is certain; the clocks of replicas differ.
  const wasThere = (client: StoredClient) => !isLater(client, since) || client.createdAt <= createdAt;
  const clients = found.map(({ client }) => client).filter(wasThere);
  const items = clients.map((client) => ({
    client_id: client.clientId,
    client_name: client.metadata.client_name,
    revision: isLater(client, since) ? since : client.revision,
  }));
  if (!clientIds || !isLast) return items;
  const known = new Set(items.map(({ client_id: id }) => id));
  return [...items, ...clientIds.filter((id) => !known.has(id)).map((id) => ({ client_id: id }))];
}

function isLater({ revision }: StoredClient, since: string): boolean {
  return (parsePosition(revision)?.seq ?? 0) > (parsePosition(since)?.seq ?? 0);
}

/** Clients that await approval are enabled only if the filter asks for them. */
export function filterOf({ action, filter, clientIds, selector }: StoredJob): ClientFilter {
  const asked = toClientFilter(plainToInstance(ClientFilterQuery, filter ?? {}), { selector });
  return {
    ...(action === 'enable' && { pending: false }),
    ...asked,
    ...(clientIds && { clientIds }),
  };
}
