import { Injectable } from '@nestjs/common';
import {
  type Capabilities,
  type ClientUse,
  reportedUse,
  selectsLabels,
  type UsageBatch,
  type UsageRow,
} from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { inTransaction, type Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { type KeyedRow, keyedRows, lastUses, mergeAlike } from './keyed-rows.js';
import { claimBatch, EVERYTHING, MAX_REPORTERS, noteInterval } from './usage-reporting.js';
import { ADD_TO_USES, ADD_USES, COUNTED_CLIENTS, LOCK_COUNTS, TOUCH_CLIENTS } from './usage-statements.js';

/** A Client was deleted in the meantime, or other transactions interfered: foreign_key_violation, class 40. */
const RETRIED_STATES = /^(23503|40...)$/;

const MAX_ATTEMPTS = 5;

/** The clock of another server may be behind ours by this much, in milliseconds. */
const MAX_BEHIND_MS = 5 * 60_000;

/** Stands for this registry where others have the id of their token. */
const OWN = '';

interface CountedClient {
  readonly createdAt: Date;
  readonly labels: Readonly<Record<string, string>>;
  readonly redirectUris: readonly string[];
  readonly responseTypes: readonly string[];
}

/** Adds batches to the counts, each once. */
@Injectable()
export class UsageStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RegistrySettings,
  ) {}

  /** Counts what this registry has seen itself. */
  async addOwn(batch: UsageBatch): Promise<void> {
    await this.add({ id: OWN, scope: EVERYTHING }, batch, async ({ rows }) => rows);
  }

  /**
   * Counts what another server reports, as far as the caller reaches the Clients. The response does not reveal which.
   *
   * @throws {RegistryError} `too_many_reporters`
   */
  async addReported(batch: UsageBatch, { id, selector }: Caller): Promise<void> {
    const { capabilities } = this.settings;
    await this.add({ id, scope: JSON.stringify(selector) }, batch, async ({ rows }, transaction) => {
      const clients = await readClients(rows, transaction);
      const reported = rows.flatMap((row) => {
        const client = clients.get(row.client_id);
        if (!client || !selectsLabels(selector, row.client_id, client.labels)) return [];
        if (!isOfThisClient(row, client)) return [];
        const client_created_at = client.createdAt.toISOString();
        return [{ ...row, client_created_at, use: cut(row.use, client, capabilities) }];
      });
      return mergeAlike(reported);
    });
  }

  private async add(
    actor: { readonly id: string; readonly scope: string },
    batch: UsageBatch,
    rowsOf: (batch: UsageBatch, transaction: Transaction) => Promise<readonly UsageRow[]>,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await inTransaction(this.dataSource, async (transaction) => {
          if (!(await claimBatch(actor, batch, new Date(), transaction))) return;
          await count(await rowsOf(batch, transaction), transaction);
          if (!(await noteInterval(actor, batch, transaction))) throw tooManyReporters();
        });
        return;
      } catch (error) {
        const { code } = error as { readonly code?: unknown };
        if (attempt === MAX_ATTEMPTS || typeof code !== 'string' || !RETRIED_STATES.test(code)) throw error;
      }
    }
  }
}

async function readClients(
  rows: readonly UsageRow[],
  transaction: Transaction,
): Promise<ReadonlyMap<string, CountedClient>> {
  const ids = [...new Set(rows.map(({ client_id: id }) => id))];
  const clients = ids.length === 0 ? [] : await COUNTED_CLIENTS.run(transaction, [ids]);
  return new Map(clients.map(({ clientId, ...client }) => [clientId, client]));
}

/** @param rows no two alike */
async function count(rows: readonly UsageRow[], transaction: Transaction): Promise<void> {
  if (rows.length === 0) return;
  const given = keyedRows(rows);
  await LOCK_COUNTS.run(transaction, []);
  const rest = await ADD_TO_USES.run(transaction, columnsOf(given));
  if (rest.length === 0) return;
  const last = lastUses(rest.map(({ number }) => given[number - 1]!));
  await TOUCH_CLIENTS.run(transaction, [
    last.map((use) => use.client_id),
    last.map((use) => use.used_at),
    last.map((use) => use.refused_at),
    last.map((use) => use.client_created_at),
  ]);
  const added = rest.filter(({ isCounted }) => !isCounted).map(({ number }) => given[number - 1]);
  if (added.length > 0) await ADD_USES.run(transaction, [JSON.stringify(added)]);
}

function columnsOf(rows: readonly KeyedRow[]): unknown[] {
  return [
    rows.map(({ client_id: id }) => id),
    rows.map(({ period }) => period),
    rows.map(({ key }) => key),
    rows.map((row) => row.count),
    rows.map((row) => row.first_at),
    rows.map((row) => row.last_at),
    rows.map(({ use }) => use.refusal !== undefined),
    rows.map((row) => row.client_created_at),
  ];
}

/** False for a use of a deleted Client with the same id, perhaps of another team. */
function isOfThisClient(row: UsageRow, { createdAt }: CountedClient): boolean {
  const { client_created_at: known, last_at: at } = row;
  if (known !== undefined) return Date.parse(known) === createdAt.getTime();
  return Date.parse(at) + MAX_BEHIND_MS >= createdAt.getTime();
}

function cut(use: ClientUse, client: CountedClient, capabilities: Capabilities): ClientUse {
  if (use.kind !== 'request') return use;
  const { redirectUris: redirect_uris, responseTypes: response_types } = client;
  return reportedUse(use, { redirect_uris, response_types }, capabilities);
}

function tooManyReporters(): RegistryError {
  return new RegistryError(
    'too_many_reporters',
    `more than ${MAX_REPORTERS} processes report with this token; send is_final when a process ends`,
  );
}
