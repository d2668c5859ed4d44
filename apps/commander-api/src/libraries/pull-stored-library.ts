import { type PullCounts, pullLibrary } from '@svc/directory-store';
import {
  type LibraryStatus,
  type LibraryStore,
  type LoadedPaths,
  readBetweenLoads,
  readLoadedPaths,
  readStatus,
  type StoredNode,
} from '@svc/library-sync';
import { CommanderError } from '../errors/commander-error.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { withStore } from './shared-store.js';

export interface PullReport extends PullCounts {
  readonly destination: string;
  readonly folder: string;
  /** Number of a load that was running or interrupted, so that the folder may have parts of two loads. */
  readonly pending?: number;
}

/**
 * Writes the stored library into a folder.
 *
 * @param force even into one that is not empty, and even while a load is running or interrupted
 * @throws {CommanderError} if a load is running or interrupted
 */
export async function pull(config: LibrarySettings, folder: string, force: boolean): Promise<PullReport> {
  return withStore(config, async (store) => {
    const whole = await readBetweenLoads(store, async (load) => readLibraryNodes(store, load));
    const status = whole ? undefined : await readStatus(store, undefined);
    if (status && !force) throw unsettledError(status);
    const { nodes, loaded } = whole?.found ?? (await readLibraryNodes(store, status?.load ?? 0));
    const counts = await pullLibrary(nodes, folder, { overwrite: force, ...loaded });
    const { pending } = status ?? {};
    return { destination: store.name, folder, ...counts, ...(pending && { pending: pending.load }) };
  });
}

async function readLibraryNodes(
  store: LibraryStore,
  load: number,
): Promise<{ nodes: readonly StoredNode[]; loaded: LoadedPaths }> {
  const nodes: StoredNode[] = [];
  await store.readTree((node) => nodes.push({ ...node, data: Buffer.from(node.data) }));
  return { nodes, loaded: await readLoadedPaths(store, load) };
}

function unsettledError({ pending, lock }: LibraryStatus): CommanderError {
  const force = 'or pass --force to write what is there, which may be a mixture of two loads';
  if (pending && !lock) {
    return new CommanderError(
      'failed',
      `load ${pending.load} was interrupted (${pending.by}, ${pending.since}); load again or roll back first, ${force}`,
    );
  }
  const who = lock ? ` (${lock.by}, since ${lock.since})` : '';
  return new CommanderError('failed', `a load is running${who}; wait for it to end, ${force}`);
}
