import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { LoadCopies } from '@svc/library-source';
import {
  assertVersionNode,
  type CheckedSource,
  type LibrarySource,
  type LibraryStore,
  loadLibrary,
  type LoadOptions,
  type LoadProgress,
  type LoadReport,
} from '@svc/library-sync';
import { inSpan } from '@svc/service-kit/spans';
import { describeProcess } from '../command-line/current-user.js';
import { CommanderError } from '../errors/commander-error.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { destinationOf } from '../config/destination-place.js';
import { passwordCheck, readDeclarationRules } from './declaration-rules.js';
import { assertNotNested } from './nested-folders.js';
import { openConfiguredSource, type SourceOverrides, type StoreOptions } from './open-library.js';
import { withStore } from './shared-store.js';

/** Options of a load; the rest is configuration. */
export interface LoadRequest
  extends
    Pick<LoadOptions, 'dryRun' | 'prune' | 'allowEmpty' | 'ifChanged' | 'waitMs' | 'takeOver'>,
    SourceOverrides,
    StoreOptions {}

/** A load with default options. */
export const PLAIN_LOAD: LoadRequest = {
  dryRun: false,
  prune: 'owned',
  allowEmpty: false,
  ifChanged: false,
  waitMs: 0,
};

/** Default limit of all files together. */
const MAX_LIBRARY_BYTES = 512 << 20;

/** What was loaded before can be restored whatever the settings and rules are now. */
const RESTORE_LIMITS = { allowEmpty: true, names: 'any', maxBytes: Infinity } as const;

export interface LoadEvents {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** See `openConfiguredSource`; not for commands, since starting a thread takes as long as a small load. */
  readonly inThread?: boolean;
}

/** Loads the configured source into the configured destination, for the command and the HTTP API. */
export async function runLoad(
  config: LibrarySettings,
  request: LoadRequest,
  events: LoadEvents,
): Promise<LoadReport> {
  const source = openConfiguredSource(config, request, events.inThread);
  await assertNotNested(source, config);
  return withStore(config, async (store) => loadFrom(source, store, config, request, events), request);
}

/** Loads from any source, keeping a copy for rollback if configured. */
export async function loadFrom(
  source: LibrarySource | CheckedSource,
  store: LibraryStore,
  config: LibrarySettings,
  options: LoadRequest &
    Pick<LoadOptions, 'isRollback' | 'restores' | 'repairs' | 'lastLoad' | 'restored' | 'signature'>,
  events: LoadEvents,
): Promise<LoadReport> {
  const copies = copiesOf(config, store);
  const isRestored = options.isRollback === true || options.repairs !== undefined;
  const rules = isRestored ? undefined : await readDeclarationRules(config);
  const check = isRestored ? undefined : await passwordCheck(config, options.source);
  const attributes = { 'svc.library.source': source.kind, 'svc.library.dry_run': options.dryRun };
  return inSpan('library load', { attributes }, async () =>
    loadLibrary(
      source,
      store,
      { ...options, ...configuredOptions(config), ...(isRestored && RESTORE_LIMITS), rules },
      {
        id: randomUUID(),
        by: describeProcess(),
        now: () => new Date(),
        check,
        ...(copies && { keepCopy: async (load, library) => copies.keep(load, library) }),
        ...events,
      },
    ),
  );
}

/**
 * Copies of the loads into this destination, if configured. Each library has its own folder, so cleaning up one cannot affect
 * another.
 */
export function copiesOf({ name, source }: LibrarySettings, store: LibraryStore): LoadCopies | undefined {
  const { state_path: folder } = source;
  if (folder === undefined) return undefined;
  return new LoadCopies(name === undefined ? folder : join(folder, 'libraries', name), store.name);
}

/**
 * How a source is read and written.
 *
 * @throws {CommanderError} configuration
 */
export function configuredOptions({
  source,
  destination,
}: Pick<LibrarySettings, 'source' | 'destination'>): Pick<
  LoadOptions,
  'names' | 'folder' | 'versionNode' | 'exclude' | 'maxBytes' | 'verify'
> {
  const { names = 'library', version_node = '.version.yaml' } = destination;
  const { exclude, max_bytes: maxBytes = MAX_LIBRARY_BYTES } = source;
  const verify = source.verify === 'off' ? undefined : source.verify;
  const place = destinationOf(destination);
  const folder = place?.servers.length === 0 ? place.root : undefined;
  const options = { names, folder, exclude, maxBytes, verify };
  if (version_node === 'none') return { ...options, versionNode: undefined };
  try {
    assertVersionNode(version_node);
  } catch (error) {
    const message = `destination.version_node: ${(error as Error).message}`;
    throw new CommanderError('library_configuration', message, { cause: error, needsRestart: true });
  }
  return { ...options, versionNode: version_node };
}
