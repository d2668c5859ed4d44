import { InterruptedRollbackError } from './load.errors.js';
import type { LoadRecord, Manifest } from './manifest.js';

/**
 * For `ifChanged`: a revision that was rolled back stays so, also if the rollback has still to be completed.
 *
 * @param revision the source's
 * @param pending the load that has still to be completed
 * @throws {InterruptedRollbackError}
 */
export function assertNotRolledBack(revision: string, manifest: Manifest, pending: LoadRecord): void {
  if (undoneRevision(pending, manifest) !== revision) return;
  // It goes forward again to a revision that was rolled back before: loading that completes it.
  if (pending.revision === revision && manifest.revision !== revision) return;
  const isRepair = pending.kind === 'repair';
  // Loads of 0.1.0 did not record what they restore.
  const restored = isRepair ? manifest.load : (manifest.pending?.restores ?? '<load>');
  const what = isRepair ? 'a repair after a rollback' : 'a rollback';
  throw new InterruptedRollbackError(pending.load, what, `svccmd library rollback --to ${restored}`);
}

/** What the interrupted load keeps undone. */
function undoneRevision(pending: LoadRecord, { rolled_back, revision }: Manifest): string | undefined {
  if (pending.kind === 'rollback') return pending.undone_revision ?? rolled_back ?? revision;
  return pending.kind === 'repair' ? rolled_back : undefined;
}
