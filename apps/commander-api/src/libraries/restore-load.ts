import { type LoadCopies, MissingCopyError } from '@svc/library-source';
import {
  type CheckedSource,
  type LibrarySource,
  type LibraryStore,
  type LoadOptions,
  type LoadRecord,
  type LoadReport,
  readPaths,
  signatureOf,
  type SourceSignature,
  SourceUnreachableError,
  UnverifiedSourceError,
} from '@svc/library-sync';
import { CommanderError } from '../errors/commander-error.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { openConfiguredSource } from './open-library.js';
import { copiesOf, type LoadEvents, loadFrom, type LoadRequest } from './run-load.js';

/** Loads what an earlier load wrote, from its copy or, for a Git source without one, from its commit. */
export async function restoreLoad(
  record: LoadRecord,
  store: LibraryStore,
  config: LibrarySettings,
  request: LoadRequest & Pick<LoadOptions, 'isRollback' | 'repairs' | 'lastLoad'>,
  events: LoadEvents,
): Promise<LoadReport> {
  const signature = signatureOf(record);
  assertVerified(record, signature, config);
  const copies = copiesOf(config, store);
  const paths = request.isRollback || copies ? await pathsOf(record, store) : new Map<string, string>();
  const rollback = request.isRollback ? { restores: record.load, restored: paths } : {};
  const load = async (source: LibrarySource | CheckedSource): Promise<LoadReport> =>
    loadFrom(source, store, config, { ...request, ...rollback, signature }, events);
  const copy = await loadCopy(record, paths, copies, load);
  if ('report' in copy) return copy.report;
  const source = sourceOf(record, config, copy.noCopy, events.inThread);
  return load(source).catch((error: unknown) => {
    if (!(error instanceof SourceUnreachableError)) throw error;
    throw new SourceUnreachableError(`${error.message}; ${copy.noCopy.message}`, { cause: error });
  });
}

/** A verified load is not verified again: its signer may have left since. */
function assertVerified(
  { load }: LoadRecord,
  signature: SourceSignature | undefined,
  { source }: LibrarySettings,
): void {
  if (signature || (source.verify ?? 'off') === 'off') return;
  throw new UnverifiedSourceError(
    `load ${load} was not verified when it was loaded; restore a verified load, or set source.verify to off to restore this one`,
  );
}

/** @throws {CommanderError} */
async function pathsOf({ load }: LoadRecord, store: LibraryStore): Promise<ReadonlyMap<string, string>> {
  const paths = await readPaths(store, load);
  if (paths) return paths;
  throw new CommanderError(
    'load_not_found',
    `the list of what load ${load} wrote is incomplete at ${store.name}; restore another load with --to`,
  );
}

/** @returns why there is no copy, if there is none; then nothing was written */
async function loadCopy(
  record: LoadRecord,
  paths: ReadonlyMap<string, string>,
  copies: LoadCopies | undefined,
  load: (source: LibrarySource) => Promise<LoadReport>,
): Promise<{ readonly report: LoadReport } | { readonly noCopy: Error }> {
  if (!copies) {
    const place =
      record.source_kind === 'folder' ? 'came from a folder, and no copies are kept' : 'has no copy';
    const message = `load ${record.load} ${place}: set source.state_path for the loads to come`;
    return { noCopy: new CommanderError('load_not_restorable', message) };
  }
  try {
    return { report: await load(copies.source(record, paths)) };
  } catch (error) {
    if (error instanceof MissingCopyError) return { noCopy: error };
    throw error;
  }
}

/** @throws {Error} `noCopy` if only a copy could be restored */
function sourceOf(
  { load, revision, source_kind, origin }: LoadRecord,
  config: LibrarySettings,
  noCopy: Error,
  inThread?: boolean,
): LibrarySource | CheckedSource {
  if (source_kind === 'folder') throw noCopy;
  const { origin: configured } = openConfiguredSource(config, { unverified: 'allow' });
  if (configured === origin) {
    return openConfiguredSource(config, { ref: revision, unverified: 'allow' }, inThread);
  }
  throw new CommanderError(
    'load_not_restorable',
    `load ${load} came from ${origin}, but source.path is now ${configured}; change it back first`,
  );
}
