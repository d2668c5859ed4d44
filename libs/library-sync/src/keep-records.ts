import { write, type LoadWriter } from './commit-load.js';
import type { WriteOperation } from './ports/library-store.js';
import { type LoadState, readRecord } from './load-state.js';
import { loadPath } from './manifest.js';
import { UnreadableStateError } from './load.errors.js';

/** Records of so many finished loads are kept, the newest too. */
const KEPT_LOADS = 10;

/**
 * Removes the records of loads that were never finished, so that loads which fail again and again leave no heap of them.
 * That of the pending load stays: it says what is there of it.
 *
 * @returns numbers of the finished loads, rising
 */
export async function sweepUnfinished(
  writer: LoadWriter,
  { loads, manifest }: Pick<LoadState, 'loads' | 'manifest'>,
): Promise<number[]> {
  const areFinished = await Promise.all(loads.map(async (load) => isFinished(writer, load)));
  for (const [index, load] of loads.entries()) {
    if (!areFinished[index] && load !== manifest?.pending?.load) await removeRecord(writer, load);
  }
  return loads.filter((_, index) => areFinished[index]);
}

/**
 * After a load is done: finished ones beyond the last ten go, and the one that this load completed.
 *
 * @param finished as `sweepUnfinished` told
 * @param done the load that has just been written
 */
export async function forgetOldLoads(
  writer: LoadWriter,
  finished: readonly number[],
  done: number,
  pending: number | undefined,
): Promise<void> {
  const old = finished.slice(0, Math.max(0, finished.length + 1 - KEPT_LOADS));
  for (const load of [...old, ...(pending === undefined ? [] : [pending])]) {
    if (load !== done) await removeRecord(writer, load);
  }
}

/** An unreadable record is worth no more than an unfinished one. */
async function isFinished({ store }: LoadWriter, load: number): Promise<boolean> {
  try {
    return (await readRecord(store, load))?.finished_at !== undefined;
  } catch (error) {
    if (error instanceof UnreadableStateError) return false;
    throw error;
  }
}

async function removeRecord(writer: LoadWriter, load: number): Promise<void> {
  const names = await writer.store.children('state', loadPath(load));
  const paths = [...names.map((name) => `${loadPath(load)}/${name}`), loadPath(load)];
  const nodes = await writer.store.read('state', paths);
  const removals = paths.flatMap((path): WriteOperation[] => {
    const node = nodes.get(path);
    return node ? [{ type: 'remove', area: 'state', path, version: node.version }] : [];
  });
  await write(writer, removals);
}
