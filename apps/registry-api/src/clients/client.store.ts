import { Injectable } from '@nestjs/common';
import { selects, selectsAll } from '@svc/client-metadata';
import { DataSource } from 'typeorm';
import { isConflictError } from '../database/database-errors.js';
import { createBatchLoader, PreparedStatement } from '../database/prepared-statement.js';
import { inTransaction, onCommit, type Transaction } from '../database/transaction.js';
import type { Caller, Reach } from '../http/current-caller.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { SecurityEvents } from '../security-events/security-events.js';
import { DeletedClientRetention } from '../settings/registry-settings.js';
import { ChangeSignal } from './change-signal.js';
import { changeEvents, isOnRecord, purgeEvent } from './change-events.js';
import { rowsOf } from './change-rows.js';
import { CHANGE_STATEMENTS, type StoredChange } from './change-statements.js';
import { isClientId } from './credentials.js';
import { clientIdOf, type PlannedChange } from './planned-change.js';
import { FIND_RESTORABLE, type RestorableClient } from './restorable-clients.js';
import { SELECT_CLIENT, type StoredClient } from './stored-client.js';

/** `$1` client_ids */
const FIND = new PreparedStatement<StoredClient>(
  'clients_find',
  `${SELECT_CLIENT} WHERE c.client_id = ANY ($1::text[])`,
);

/** Locks Clients until the transaction ends, always in the same order to avoid deadlocks. `$1` client_ids */
const LOCK = new PreparedStatement<StoredClient>(
  'clients_lock',
  `${SELECT_CLIENT} WHERE c.client_id = ANY ($1::text[]) ORDER BY c.client_id FOR UPDATE OF c`,
);

const MAX_ATTEMPTS = 3;

/** Revisions of the Clients whose change took effect, by client_id. */
export type StoredChanges = ReadonlyMap<string, string>;

/** Of one kind, each of a different Client. */
type Changes = readonly [PlannedChange, ...PlannedChange[]];

/** Clients by client_id. */
export interface LockedClients {
  readonly clients: Map<string, StoredClient>;
  /** Ids of Clients, also deleted ones, that the caller does not reach: it may learn only that they cannot be registered. */
  readonly taken: ReadonlySet<string>;
}

/** Undoes what preceded a change that did not take effect. */
class WithoutEffect extends Error {}

/** The Clients' tables. */
@Injectable()
export class ClientStore {
  private readonly announce = () => this.signal.announce();
  private readonly read: (clientId: string) => Promise<readonly StoredClient[]>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly signal: ChangeSignal,
    private readonly metrics: RegistryMetrics,
    private readonly events: SecurityEvents,
    private readonly retention: DeletedClientRetention,
  ) {
    this.read = createBatchLoader(dataSource, FIND, (client) => client.clientId);
  }

  /** @returns undefined also for a Client that the caller does not reach */
  async find(clientId: string, { selector }: Reach): Promise<StoredClient | undefined> {
    const [client] = await this.read(clientId);
    return client && selects(selector, client) ? client : undefined;
  }

  /** Locks the existing Clients with these ids that the caller reaches until the transaction ends. */
  async lock(
    clientIds: readonly string[],
    { selector }: Reach,
    transaction: Transaction,
  ): Promise<LockedClients> {
    const ids = clientIds.filter(isClientId);
    const isOutside = (client: RestorableClient) => !selects(selector, client);
    const toId = ({ clientId }: RestorableClient) => clientId;
    // Others are not locked: their own callers would have to wait.
    const outside = selectsAll(selector) ? [] : (await FIND.run(transaction, [ids])).filter(isOutside);
    const taken = new Set(outside.map(toId));
    const locked = await LOCK.run(transaction, [ids.filter((id) => !taken.has(id))]);
    for (const client of locked.filter(isOutside)) taken.add(client.clientId);
    const reached = locked.filter((client) => !isOutside(client));
    const clients = new Map(reached.map((client) => [client.clientId, client]));
    const absent = selectsAll(selector) ? [] : ids.filter((id) => !clients.has(id) && !taken.has(id));
    const deleted = absent.length === 0 ? [] : await this.findRestorable(absent, transaction);
    for (const client of deleted.filter(isOutside)) taken.add(client.clientId);
    return { clients, taken };
  }

  /**
   * Stores changes of one kind, each of a different Client, with their history. A change whose client_id is taken, also by a
   * deleted Client that the actor does not reach, or whose Client is no longer in the state that it was planned on, does not
   * take effect and is missing in the result.
   *
   * @param transaction from `inTransaction`; a new one if absent
   */
  async apply(changes: Changes, at: Date, actor: Caller, transaction?: Transaction): Promise<StoredChanges> {
    for (const change of changes) assertReached(change, actor);
    if (transaction) return this.applyIn(transaction, changes, at, actor);
    return retryConflicts(async () => {
      const inOwn = async (those: Changes) =>
        inTransaction(this.dataSource, async (own) => this.applyIn(own, those, at, actor), actor.id);
      if (changes.some(isOnRecord)) return inOwn(changes);
      const stored = await this.run(undefined, changes, at, actor);
      const replacing = await this.replacing(this.dataSource, changes, stored, actor);
      return new Map([...revisionsOf(stored), ...(isFilled(replacing) ? await inOwn(replacing) : [])]);
    });
  }

  /** Stores a change, if there is one, in one transaction with what precedes it; if it does not take effect, neither is stored. */
  async applyAfter(
    work: (transaction: Transaction) => Promise<void>,
    changes: readonly [] | readonly [PlannedChange],
    at: Date,
    actor: Caller,
  ): Promise<StoredChanges> {
    const all = async (transaction: Transaction): Promise<StoredChanges> => {
      await work(transaction);
      if (changes.length === 0) return new Map();
      const stored = await this.apply(changes, at, actor, transaction);
      if (stored.size === 0) throw new WithoutEffect();
      return stored;
    };
    try {
      return await retryConflicts(async () => inTransaction(this.dataSource, all, actor.id));
    } catch (error) {
      if (error instanceof WithoutEffect) return new Map();
      throw error;
    }
  }

  private async applyIn(
    transaction: Transaction,
    changes: Changes,
    at: Date,
    actor: Caller,
  ): Promise<StoredChanges> {
    const first = await this.run(transaction, changes, at, actor);
    const replacing = await this.replacing(transaction, changes, first, actor);
    const stored = [
      ...first,
      ...(isFilled(replacing) ? await this.run(transaction, replacing, at, actor) : []),
    ];
    const revisions = revisionsOf(stored);
    const purged = new Set(
      stored.filter(({ isReplacement }) => isReplacement).map(({ clientId }) => clientId),
    );
    const replaced = [...changes, ...replacing].flatMap((change) =>
      change.kind === 'registered' && change.replaces && purged.has(change.client.clientId)
        ? [change.replaces]
        : [],
    );
    this.events.add(
      transaction,
      ...replaced.map((client) => purgeEvent(client, actor)),
      ...changeEvents(changes, revisions, actor),
    );
    return revisions;
  }

  private async run(
    transaction: Transaction | undefined,
    changes: Changes,
    at: Date,
    actor: Caller,
  ): Promise<StoredChange[]> {
    const [{ kind }] = changes;
    const values = [await rowsOf(changes), at, actor.id, actor.name, actor.address];
    if (kind === 'registered') values.push(this.retention.keptFrom(new Date()));
    const stored = await CHANGE_STATEMENTS[kind].run(transaction ?? this.dataSource, values, actor.id);
    this.afterCommit(transaction, kind, stored.length);
    return stored;
  }

  /** The registrations without effect that a deleted Client, which the actor reaches, prevents: they shall replace it. */
  private async replacing(
    on: DataSource | Transaction,
    changes: Changes,
    stored: readonly StoredChange[],
    { selector }: Reach,
  ): Promise<PlannedChange[]> {
    const done = new Set(stored.map(({ clientId }) => clientId));
    const left = changes.flatMap((change) =>
      change.kind === 'registered' && !change.replaces && !done.has(change.client.clientId) ? [change] : [],
    );
    if (left.length === 0) return [];
    const found = await this.findRestorable(left.map(clientIdOf), on);
    const reached = new Map(
      found.filter((client) => selects(selector, client)).map((client) => [client.clientId, client]),
    );
    return left.flatMap((change) => {
      const replaces = reached.get(change.client.clientId);
      return replaces ? [{ ...change, replaces }] : [];
    });
  }

  private async findRestorable(
    clientIds: readonly string[],
    on: DataSource | Transaction,
  ): Promise<RestorableClient[]> {
    return FIND_RESTORABLE.run(on, [clientIds, this.retention.keptFrom(new Date())]);
  }

  /**
   * Stores many changes in their order within a transaction, adjacent ones of one kind with one statement. A change may
   * have been planned on the state that an earlier one leads to, whose revision was not known then.
   *
   * @returns the revision after each change; undefined for one that did not take effect
   */
  async applyInOrder(
    changes: readonly PlannedChange[],
    at: Date,
    actor: Caller,
    transaction: Transaction,
  ): Promise<(string | undefined)[]> {
    const current = new Map<string, string>();
    const revisions: (string | undefined)[] = [];
    for (const run of runsOf(changes)) {
      const [first, ...others] = run.map((change) => onCurrentState(change, current));
      if (!first) continue;
      const stored = await this.apply([first, ...others], at, actor, transaction);
      for (const [clientId, revision] of stored) current.set(clientId, revision);
      revisions.push(...run.map((change) => stored.get(clientIdOf(change))));
    }
    return revisions;
  }

  private afterCommit(transaction: Transaction | undefined, kind: string, stored: number): void {
    if (stored === 0) return;
    const count = () => this.metrics.countChanges(kind, stored);
    // A transaction announces its changes once, but counts those of each statement.
    for (const act of [this.announce, count]) {
      if (transaction) onCommit(transaction, act);
      else act();
    }
  }
}

function isFilled(changes: readonly PlannedChange[]): changes is Changes {
  return changes.length > 0;
}

function revisionsOf(stored: readonly StoredChange[]): StoredChanges {
  return new Map(stored.map(({ clientId, revision }) => [clientId, revision]));
}

/** Recording uses locks a Client's rows in a different order than deleting it does; PostgreSQL aborts one of the two. */
async function retryConflicts<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflictError(error)) throw error;
    }
  }
}

/** The last line of defence: no change takes effect on a Client that its caller does not reach, or takes one out of reach. */
function assertReached(change: PlannedChange, { selector }: Reach): void {
  const states = [
    ...('before' in change ? [change.before] : [change.client]),
    ...(change.kind === 'updated' ? [{ clientId: change.before.clientId, metadata: change.metadata }] : []),
  ];
  if (states.some((state) => !selects(selector, state))) {
    throw new Error(`a change outside of what its caller reaches: ${change.kind}`);
  }
}

/** Adjacent changes of one kind, each of a different Client. */
function runsOf(changes: readonly PlannedChange[]): PlannedChange[][] {
  const runs: PlannedChange[][] = [];
  let ids = new Set<string>();
  for (const change of changes) {
    const last = runs.at(-1);
    const clientId = clientIdOf(change);
    if (last?.[0]?.kind === change.kind && !ids.has(clientId)) last.push(change);
    else {
      runs.push([change]);
      ids = new Set();
    }
    ids.add(clientId);
  }
  return runs;
}

function onCurrentState(change: PlannedChange, current: ReadonlyMap<string, string>): PlannedChange {
  if (change.kind === 'registered') return change;
  const revision = current.get(change.before.clientId);
  return revision === undefined ? change : { ...change, before: { ...change.before, revision } };
}
