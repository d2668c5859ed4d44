import { InterruptedRollbackError } from './load.errors.js';
import { readManifest, readRecord } from './load-state.js';
import type { LoadTask } from './load-task.js';
import type { LoadRecord, Manifest } from './manifest.js';

/**
 * For `ifChanged`, under the lock: a revision that was rolled back stays so, also if the rollback has still to be completed.
 *
 * @param revision the source's
 * @throws {InterruptedRollbackError}
 */
export async function assertNotRolledBack({ store, options }: LoadTask, revision: string): Promise<void> {
  if (!options.ifChanged) return;
  const manifest = await readManifest(store);
  const record = manifest?.pending && (await readRecord(store, manifest.pending.load));
  if (!manifest || !record) return;
  const undone = undoneRevision(record, manifest);
  if (undone !== revision || record.revision === revision) return;
  // Loads of 0.1.0 did not record what they restore.
  const restored = record.kind === 'repair' ? manifest.load : (manifest.pending?.restores ?? '<load>');
  throw new InterruptedRollbackError(record.load, `svccmd library rollback --to ${restored}`);
}

/** What the interrupted load keeps undone. */
function undoneRevision(pending: LoadRecord, { rolled_back, revision }: Manifest): string | undefined {
  if (pending.kind === 'rollback') return pending.undone_revision ?? rolled_back ?? revision;
  return pending.kind === 'repair' ? rolled_back : undefined;
}
