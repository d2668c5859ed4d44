import type { LibraryFinding } from './ports/library-finding.js';
import type { LibrarySource } from './ports/library-source.js';
import type { LibraryStore } from './ports/library-store.js';
import type { LoadOptions } from './load-task.js';

/** The destination holds the library of another source. Nothing was written. */
export class OtherSourceError extends Error {
  override readonly name = 'OtherSourceError';

  constructor(destination: string, owner: string, origin: string) {
    super(
      `${destination} was loaded from ${owner}, and loading ${origin} would remove that library; choose another destination.path, or load once with --take-over (?take_over=true over HTTP)`,
    );
  }
}

/**
 * Two sources at one destination would remove each other's nodes.
 *
 * @param owner the origin of the source that the destination belongs to, if any
 * @returns whose the destination is after the load, and a warning if another source takes over
 * @throws {OtherSourceError}
 */
export function decideOwner(
  { name }: Pick<LibraryStore, 'name'>,
  { origin }: Pick<LibrarySource, 'origin'>,
  { isRollback, takeOver }: Pick<LoadOptions, 'isRollback' | 'takeOver'>,
  owner: string | undefined,
): { owner: string; problems: LibraryFinding[] } {
  if (owner === undefined || owner === origin) return { owner: origin, problems: [] };
  // The history is the destination's own, whichever source a load came from.
  if (isRollback) return { owner, problems: [] };
  if (!takeOver) throw new OtherSourceError(name, owner, origin);
  const message = `was loaded from ${owner} until now; --take-over removes what ${origin} does not contain`;
  return { owner: origin, problems: [{ severity: 'warning', path: '', code: 'take-over', message }] };
}
