import { Injectable } from '@nestjs/common';
import { EventLoopYield } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { createBatchLoader } from '../database/batch-loader.js';
import { onCommit, type Transaction } from '../database/transaction.js';
import type { Actor } from '../http/current-actor.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import type { HashedSecret } from '../secrets/secret-hasher.js';
import { ChangeSignal } from './change-signal.js';
import { CHANGE_STATEMENTS } from './change-statements.js';
import { FIND, LOCK, SECRETS } from './client-statements.js';
import { isClientId } from './credentials.js';
import { clientIdOf, type PlannedChange } from './planned-change.js';
import { searchTextOf } from './search-text.js';
import type { StoredClient } from './stored-client.js';

/** Sequence numbers of changes that took effect, by client_id. */
export type StoredChanges = ReadonlyMap<string, string>;

/** The Clients' tables. */
@Injectable()
export class ClientStore {
  private readonly announce = () => this.signal.announce();
  private readonly read: (clientId: string) => Promise<readonly StoredClient[]>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly signal: ChangeSignal,
    private readonly metrics: RegistryMetrics,
  ) {
    this.read = createBatchLoader(dataSource, FIND, (client) => client.clientId);
  }

  async find(clientId: string): Promise<StoredClient | undefined> {
    const [client] = await this.read(clientId);
    return client;
  }

  /** The client's secrets that are valid now, oldest first. */
  async secrets(clientId: string): Promise<HashedSecret[]> {
    return SECRETS.run(this.dataSource, [clientId]);
  }

  /** Those of the Clients that are there, by client_id; nobody else changes them until the transaction ends. */
  async lock(clientIds: readonly string[], transaction: Transaction): Promise<Map<string, StoredClient>> {
    const locked = await LOCK.run(transaction, [clientIds.filter(isClientId)]);
    return new Map(locked.map((client) => [client.clientId, client]));
  }

  /**
   * Stores changes of one kind, each of another Client, with their history. A change whose client_id is taken, or whose
   * Client is no longer in the state that it was planned on, does not take effect and is missing in the result.
   *
   * @param transaction one of `inTransaction`; a transaction of its own when left out
   */
  async apply(
    changes: readonly [PlannedChange, ...PlannedChange[]],
    at: Date,
    actor: Actor,
    transaction?: Transaction,
  ): Promise<StoredChanges> {
    const stored = await CHANGE_STATEMENTS[changes[0].kind].run(transaction ?? this.dataSource, [
      ...[await rowsOf(changes), at],
      ...[actor.id, actor.name, actor.address],
    ]);
    this.afterCommit(transaction, changes[0].kind, stored.length);
    return new Map(stored.map(({ clientId, seq }) => [clientId, seq]));
  }

  private afterCommit(transaction: Transaction | undefined, kind: string, stored: number): void {
    if (stored === 0) return;
    const count = () => this.metrics.countChanges(kind, stored);
    // What is announced once per transaction is counted for each of its statements.
    for (const act of [this.announce, count]) {
      if (transaction) onCommit(transaction, act);
      else act();
    }
  }
}

/** The rows as JSON. To fold the texts of a thousand Clients takes seconds, so others are served meanwhile. */
async function rowsOf(changes: readonly PlannedChange[]): Promise<string> {
  const pause = new EventLoopYield();
  const rows: string[] = [];
  for (const change of changes) {
    if (changes.length > 1) await pause.ifDue();
    rows.push(JSON.stringify(toRow(change)));
  }
  return `[${rows.join(',')}]`;
}

/** What the statement of the change's kind reads. */
function toRow(change: PlannedChange): Record<string, unknown> {
  const row = { client_id: clientIdOf(change), ...('before' in change && { seq: change.before.seq }) };
  switch (change.kind) {
    case 'registered': {
      const { metadata, warnings, cookieName, secret, registrationTokenHash } = change.client;
      const searched = { search_text: searchTextOf(row.client_id, metadata) };
      const token_hash = registrationTokenHash?.toString('base64');
      return {
        ...row,
        metadata,
        warnings,
        cookie_name: cookieName,
        ...searched,
        ...secretColumns(secret),
        token_hash,
      };
    }
    case 'updated':
      return {
        ...row,
        metadata: change.metadata,
        search_text: searchTextOf(row.client_id, change.metadata),
        warnings: change.warnings,
        before: change.before.metadata,
        ...(change.secret !== undefined && { replaces_secrets: true, ...secretColumns(change.secret) }),
      };
    case 'secret_rotated':
      return { ...row, ...secretColumns(change.secret), former_until: change.formerUntil };
    case 'enabled':
    case 'disabled':
    case 'deleted':
      return row;
  }
}

function secretColumns(secret: (HashedSecret & { readonly hint: string }) | null | undefined) {
  if (!secret) return {};
  const { hash, pepperId, hint } = secret;
  return { hash: hash.toString('base64'), pepper_id: pepperId, hint };
}
