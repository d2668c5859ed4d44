import { basename } from 'node:path';
import {
  buildLookup,
  type BuildRequest,
  type GuardOutcome,
  LookupFormatError,
  LookupGuardError,
  mergeLookupFiles,
} from '@svc/iplookup-core';
import { counted } from '../../command-line/text.js';
import { CommanderError } from '../../errors/commander-error.js';
import { toBuildOptions } from '../build/build-flags.js';
import { BUILD_LIMITS } from '../build/build-limits.js';
import { buildNotes } from '../build/build-notes.js';
import { toGuards } from '../build/guard-flags.js';
import { guardRefusal } from '../build/guard-text.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import {
  areSameFiles,
  assertUnchanged,
  compareLookup,
  type Comparison,
  declarationDigest,
  digest,
  identifyFiles,
  LAYER_FORMAT,
  lookupFile,
  type LookupPlaces,
} from './compare-lookup.js';
import { describeSync } from './describe-sync.js';
import { filesOf, type LayerDeclaration, type LookupDeclaration } from './lookup-declaration.js';
import { modifiedMs, stampOf } from './source-identity.js';
import { type LookupState, SyncStates } from './sync-state.js';

export interface SyncOptions extends LookupPlaces {
  /** Marks incomplete files. Default: random. */
  readonly writer?: string | undefined;
  /** Seconds since 1970, written into lookups that are built. */
  readonly buildEpoch: number;
  /** How many former versions of each lookup to keep. */
  readonly keepVersions: number;
  /** Who replaces former lookups even if guards fail. */
  readonly forcedBy?: string | undefined;
  /** Name and version of the program, for manifests. Default: none are written. */
  readonly manifestTool?: string | undefined;
  /** Reports the next step, in one line. */
  readonly onStep: (line: string) => void;
}

/** What a run did about a lookup, or would do. */
export interface SyncedLookup {
  readonly lookup: string;
  /** `outdated`: a dry run would build it. */
  readonly result: 'unchanged' | 'built' | 'outdated';
  /** Why it is built: what changed since the last run. */
  readonly reasons: readonly string[];
  readonly sources: readonly SyncedSource[];
  /** Unless it is outdated. */
  readonly file?: string;
  readonly bytes?: number;
  readonly records?: number;
  readonly guards?: readonly GuardOutcome[];
  /** What to look at in the sources that were read, such as rows that override many others. */
  readonly notes?: readonly string[];
  /** Who replaced the former lookup although guards failed. */
  readonly forcedBy?: string;
}

/** A file that a lookup is built from. */
export interface SyncedSource {
  readonly source: string;
  /** When it was modified: ISO 8601. */
  readonly modified: string;
}

/**
 * Finds out whether a lookup is up to date, without reading its sources.
 *
 * @throws {CommanderError} if a source does not exist
 */
export async function planLookup(
  declaration: LookupDeclaration,
  options: LookupPlaces,
): Promise<SyncedLookup> {
  const found = await compareLookup(declaration, options);
  return found.reasons.length > 0
    ? { ...summaryOf(declaration, found), result: 'outdated' }
    : unchanged(declaration, found);
}

/**
 * Builds a lookup if it is out of date. Layers whose source and options are as before are not read again, but taken from
 * the last run. The former lookup stays in place until the new one is complete.
 *
 * @throws {CommanderError}
 */
export async function syncLookup(
  declaration: LookupDeclaration,
  options: SyncOptions,
): Promise<SyncedLookup> {
  const states = new SyncStates(options.folder);
  const found = await compareLookup(declaration, options);
  if (found.reasons.length === 0) return unchanged(declaration, found);
  return withLookupErrors(async () => {
    await states.prepare();
    const files = await identifyFiles(found, options);
    if (found.isAsDeclared && areSameFiles(files, found)) {
      // Only times changed: a build would make a version of the same content.
      await states.write(declaration.name, { ...found.former!, files });
      return unchanged(declaration, { ...found, reasons: [] });
    }
    const layers: (string | null)[] = [];
    const notes: string[] = [];
    for (const layer of declaration.layers)
      layers.push(await buildLayer(layer, { ...found, files }, states, options, notes));
    await assertUnchanged(files, found, options);
    try {
      const built = await merge(declaration, { files, layers }, found, states, options);
      return { ...summaryOf(declaration, found), result: 'built', notes, ...built };
    } catch (error) {
      const now = await builtMeanwhile(declaration, files, options);
      if (now !== undefined) return unchanged(declaration, now);
      // One of them may be damaged: the next run rebuilds them.
      if (error instanceof LookupFormatError) await states.dropLayers(layers);
      throw error instanceof LookupGuardError ? guardRefusal(error) : error;
    }
  });
}

function summaryOf(
  { name }: LookupDeclaration,
  { stamps, reasons }: Comparison,
): Omit<SyncedLookup, 'result'> {
  const sources = [...stamps].map(([source, stamp]) => ({
    source,
    modified: new Date(modifiedMs(stamp)).toISOString(),
  }));
  return { lookup: name, reasons, sources };
}

function unchanged(declaration: LookupDeclaration, found: Comparison): SyncedLookup {
  const { file, stamp, records, rolledBackFrom } = found.former!;
  return {
    ...summaryOf(declaration, found),
    result: 'unchanged',
    file,
    bytes: stamp.bytes,
    ...(rolledBackFrom === undefined && { records }),
  };
}

/**
 * Builds a layer, unless an earlier run did.
 *
 * @param notes receives what to look at in the source
 * @returns its key, which names all that it depends on; null for a source that is a lookup itself
 */
async function buildLayer(
  layer: LayerDeclaration,
  { files, stamps }: Pick<LookupState, 'files'> & Pick<Comparison, 'stamps'>,
  states: SyncStates,
  options: SyncOptions,
  notes: string[],
): Promise<string | null> {
  const { source, kind, joins, flags } = layer;
  const { paths, writer, signal, onStep } = options;
  if (kind === 'lookup') return null;
  // A vendor's file name determines the columns.
  const name = source.replace(/^.*[/\\]/, '');
  const names = filesOf(layer);
  const sums = names.map((file) => files[file]!.sha256);
  const key = digest([LAYER_FORMAT, sums, kind, name, joins, flags]).slice(0, 40);
  if (await states.hasLayer(key)) return key;
  onStep(`reading ${source}`);
  const summary = await buildLookup({
    ...layerInput(layer, paths),
    folder: states.layers,
    lookupName: key,
    ...(writer !== undefined && { writer }),
    // Later runs would take what was read of a changed file for the content that names the layer.
    beforeSwap: async () =>
      assertUnchanged(files, { stamps: new Map(names.map((file) => [file, stamps.get(file)!])) }, options),
    signal,
  });
  notes.push(...buildNotes(summary, flags).map((note) => `${source}: ${note}`));
  await states.writeRows(key, summary.rows);
  return key;
}

/** How a layer's CSV file is read. */
export function layerInput(
  { source, remote, kind, joins, flags }: LayerDeclaration,
  paths: Readonly<Record<string, string>>,
): Omit<BuildRequest, 'folder'> {
  return {
    ...toBuildOptions(kind === 'lookup' ? 'csv' : kind, flags, 0),
    joinFiles: joins.map((each) => ({ ...each, path: paths[each.name]! })),
    limits: BUILD_LIMITS,
    input: paths[source]!,
    inputName: remote ? basename(paths[source]!) : source,
  };
}

/** @returns undefined unless another run has built the lookup from the same files: replacing it would lose a version */
async function builtMeanwhile(
  declaration: LookupDeclaration,
  files: LookupState['files'],
  options: SyncOptions,
): Promise<Comparison | undefined> {
  const now = await compareLookup(declaration, options).catch(() => undefined);
  return now?.isAsDeclared && areSameFiles(files, now) ? { ...now, reasons: [] } : undefined;
}

async function merge(
  declaration: LookupDeclaration,
  parts: Pick<LookupState, 'files' | 'layers'>,
  { stamps }: Comparison,
  states: SyncStates,
  options: SyncOptions,
): Promise<Partial<SyncedLookup>> {
  const { folder, paths, writer, buildEpoch, keepVersions, forcedBy, manifestTool: tool, signal } = options;
  const { name, gzip } = declaration;
  options.onStep(`${name}: merging ${counted(parts.layers.length, 'layer')}`);
  const file = lookupFile(folder, declaration);
  const layers = declaration.layers.map(({ source, merge: rule }, index) => {
    const key = parts.layers[index]!;
    return { path: key === null ? paths[source]! : states.layerPath(key), merge: rule };
  });
  const lookups = declaration.layers.flatMap(({ kind, source }) => (kind === 'lookup' ? [source] : []));
  const readUntilNow = new Map([...stamps].filter(([name]) => lookups.includes(name)));
  const merged = await mergeLookupFiles({
    layers,
    limits: BUILD_LIMITS,
    file,
    gzip,
    lookupName: name,
    description: `${name}: IP lookup`,
    buildEpoch,
    guards: declaration.guards === false ? undefined : toGuards({ guards: true, ...declaration.guards }),
    forcedBy,
    keepVersions,
    ...(tool !== undefined && {
      describe: async (partial, guarded) =>
        describeSync(declaration, { ...parts, stamps, tool, buildEpoch, states }, partial, file, guarded),
    }),
    beforeSwap: async (partial, { records }) => {
      await assertUnchanged(parts.files, { stamps: readUntilNow }, options);
      if (await builtMeanwhile(declaration, parts.files, options))
        throw new CommanderError('failed', `${name} was built by another run: run the sync again`);
      const from = { declaration: declarationDigest(declaration), layerFormat: LAYER_FORMAT, ...parts };
      await states.writeNext(name, { ...from, file, records, stamp: await stampOf(partial) });
    },
    writer,
    signal,
  });
  const { bytes, records, guards, forcedBy: forced } = merged;
  return { file, bytes, records, guards, ...(forced !== undefined && { forcedBy: forced }) };
}
