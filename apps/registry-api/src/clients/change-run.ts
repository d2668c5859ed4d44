import type { Transaction } from '../database/transaction.js';
import type { Actor } from '../http/current-actor.js';
import type { ClientStore } from './client.store.js';
import { clientIdOf, type PlannedChange } from './planned-change.js';

/**
 * Stores many changes in their order within a transaction, those of one kind that follow each other with one statement.
 * A change may have been planned on the state that an earlier one of the list leads to, whose sequence number was not
 * known then.
 *
 * @returns the sequence number of each change; nothing for one that did not take effect
 */
export async function storeInOrder(
  changes: readonly PlannedChange[],
  at: Date,
  actor: Actor,
  { clients, transaction }: { clients: ClientStore; transaction: Transaction },
): Promise<(string | undefined)[]> {
  const current = new Map<string, string>();
  const seqs: (string | undefined)[] = [];
  for (const run of runsOf(changes)) {
    const [first, ...others] = run.map((change) => onCurrentState(change, current));
    if (!first) continue;
    const stored = await clients.apply([first, ...others], at, actor, transaction);
    for (const [clientId, seq] of stored) current.set(clientId, seq);
    seqs.push(...run.map((change) => stored.get(clientIdOf(change))));
  }
  return seqs;
}

/** Neighbours of one kind, each of another Client. */
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
  const seq = current.get(change.before.clientId);
  return seq === undefined ? change : { ...change, before: { ...change.before, seq } };
}
