import type { LibraryFinding } from './ports/library-finding.js';
import type { LibrarySource } from './ports/library-source.js';
import type { LibraryStore } from './ports/library-store.js';
import type { LoadOptions } from './load-task.js';

/** The destination is owned by another source. Nothing was written. */
export class OtherSourceError extends Error {
  override readonly name = 'OtherSourceError';

  constructor(destination: string, owner: string, origin: string) {
    super(
      `${destination} was loaded from ${owner}, and loading ${origin} would remove that library; choose another destination.path, or load once with --take-over (?take_over=true over HTTP)`,
    );
  }
}

/**
 * Prevents two sources with the same destination from removing each other's nodes.
 *
 * @param owner origin of the source that owns the destination, if any
 * @returns the owner after the load, and a warning if ownership changes
 * @throws {OtherSourceError}
 */
export function decideOwner(
  { name }: Pick<LibraryStore, 'name'>,
  { origin }: Pick<LibrarySource, 'origin'>,
  { isRollback, repairs, takeOver }: Pick<LoadOptions, 'isRollback' | 'repairs' | 'takeOver'>,
  owner: string | undefined,
): { owner: string; problems: LibraryFinding[] } {
  if (owner === undefined || owner === origin) return { owner: origin, problems: [] };
  // The history belongs to the destination, whichever source its loads came from.
  if (isRollback || repairs !== undefined) return { owner, problems: [] };
  if (!takeOver) throw new OtherSourceError(name, owner, origin);
  const message = `was loaded from ${owner} until now; --take-over removes what ${origin} does not contain`;
  return { owner: origin, problems: [{ severity: 'warning', path: '', code: 'take-over', message }] };
}
