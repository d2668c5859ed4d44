import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  buildLookup,
  type BuildRequest,
  type GuardOutcome,
  LookupGuardError,
  mergeLookupFiles,
} from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import { toBuildOptions } from '../build/build-flags.js';
import { toGuards } from '../build/guard-flags.js';
import { guardRefusal } from '../build/guard-text.js';
import { withLookupErrors } from '../files/iplookup.errors.js';
import { filesOf, type LayerDeclaration, type LookupDeclaration } from './parse-lookup-declarations.js';
import { type FileStamp, isSameStamp, isSettled, modifiedMs, sha256Of, stampOf } from './source-identity.js';
import { type FileState, type LookupState, SyncStates } from './sync-state.js';

/** Where a declared lookup and what it is built from are. */
export interface LookupPlaces {
  /** The folder of lookup files. */
  readonly folder: string;
  /** The path of each file that the lookup is built from. */
  readonly paths: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface SyncOptions extends LookupPlaces {
  /** Marks incomplete files. Default: random. */
  readonly writer?: string | undefined;
  /** Seconds since 1970, written into lookups that are built. */
  readonly buildEpoch: number;
  /** How many former versions of each lookup to keep. */
  readonly keepVersions: number;
  /** Who replaces former lookups even if guards fail. */
  readonly forcedBy?: string | undefined;
  /** Tells what happens next, in one line. */
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
  /** Who replaced the former lookup although guards failed. */
  readonly forcedBy?: string;
}

/** A file that a lookup is built from. */
export interface SyncedSource {
  readonly source: string;
  /** When it was modified: ISO 8601. */
  readonly modified: string;
}

/** Changes when the same source would give another layer. */
const LAYER_FORMAT = 1;

/**
 * Finds out whether a lookup is up to date, without reading its sources.
 *
 * @throws {CommanderError} if a source does not exist
 */
export async function planLookup(
  declaration: LookupDeclaration,
  options: LookupPlaces,
): Promise<SyncedLookup> {
  const found = await compare(declaration, new SyncStates(options.folder), options);
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
  const found = await compare(declaration, states, options);
  if (found.reasons.length === 0) return unchanged(declaration, found);
  return withLookupErrors(async () => {
    await states.prepare();
    const files = await identify(found, options);
    const layers: (string | null)[] = [];
    for (const layer of declaration.layers) layers.push(await buildLayer(layer, files, states, options));
    await assertUnchanged(found, options);
    const built = await merge(declaration, { files, layers }, states, options).catch(withRemedy);
    return { ...summaryOf(declaration, found), result: 'built', ...built };
  });
}

/** A lookup's declaration and files against what the last run built. */
interface Comparison {
  readonly former: LookupState | undefined;
  /** Of each file, by its name. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  readonly reasons: readonly string[];
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
  const { file, bytes, records } = found.former!;
  return { ...summaryOf(declaration, found), result: 'unchanged', file, bytes, records };
}

async function compare(
  declaration: LookupDeclaration,
  states: SyncStates,
  { folder, paths }: LookupPlaces,
): Promise<Comparison> {
  const former = await states.read(declaration.name);
  const stamps = new Map<string, FileStamp>();
  for (const name of declaration.layers.flatMap(filesOf)) stamps.set(name, await stampOf(paths[name]!));
  if (former === undefined) return { former, stamps, reasons: ['it was never built'] };
  const file = await stampOf(lookupFile(folder, declaration)).catch(() => undefined);
  const reasons = [...stamps].flatMap(([name, stamp]) =>
    isSameStamp(former.files[name]?.stamp, stamp) ? [] : [`${name} changed`],
  );
  if (former.declaration !== digest(contentOf(declaration))) reasons.unshift('its declaration changed');
  else if (file === undefined) reasons.unshift('its file is missing');
  else if (!isSameStamp(former.stamp, file)) reasons.unshift('its file was replaced');
  return { former, stamps, reasons };
}

/** Reads the files that changed, for their checksums. */
async function identify(
  { former, stamps }: Comparison,
  { paths, signal }: LookupPlaces,
): Promise<Record<string, FileState>> {
  const files: Record<string, FileState> = {};
  for (const [name, stamp] of stamps) {
    const known = former?.files[name];
    const sha256 = isSameStamp(known?.stamp, stamp) ? known!.sha256 : await sha256Of(paths[name]!, signal);
    files[name] = { sha256, ...(isSettled(stamp, Date.now()) && { stamp }) };
  }
  return files;
}

/** @throws {CommanderError} if a file is not as it was when its checksum was made */
async function assertUnchanged({ stamps }: Comparison, { paths }: LookupPlaces): Promise<void> {
  for (const [name, stamp] of stamps) {
    if (isSameStamp(await stampOf(paths[name]!), stamp)) continue;
    throw new CommanderError('unusable_input', `${name} changed while it was read: run it again`);
  }
}

/**
 * Builds a layer, unless an earlier run did.
 *
 * @returns its key, which names all that it depends on; null for a source that is a lookup itself
 */
async function buildLayer(
  layer: LayerDeclaration,
  files: Readonly<Record<string, FileState>>,
  states: SyncStates,
  { paths, writer, signal, onStep }: SyncOptions,
): Promise<string | null> {
  const { source, kind, joins, flags } = layer;
  if (kind === 'lookup') return null;
  // A vendor's file name determines the columns.
  const name = source.replace(/^.*[/\\]/, '');
  const sums = filesOf(layer).map((file) => files[file]!.sha256);
  const key = digest([LAYER_FORMAT, sums, kind, name, joins, flags]).slice(0, 40);
  if (await states.hasLayer(key)) return key;
  onStep(`reading ${source}`);
  await buildLookup({
    ...layerInput(layer, paths),
    folder: states.layers,
    lookupName: key,
    ...(writer !== undefined && { writer }),
    signal,
  });
  return key;
}

/** How a layer's CSV file is read. */
export function layerInput(
  { source, remote, kind, joins, flags }: LayerDeclaration,
  paths: Readonly<Record<string, string>>,
): Omit<BuildRequest, 'folder'> {
  return {
    ...toBuildOptions(kind === 'vendor' ? 'vendor' : 'csv', flags, 0),
    joinFiles: joins.map((each) => ({ ...each, path: paths[each.name]! })),
    input: paths[source]!,
    inputName: remote ? basename(paths[source]!) : source,
  };
}

function withRemedy(error: unknown): never {
  throw error instanceof LookupGuardError ? guardRefusal(error) : error;
}

async function merge(
  declaration: LookupDeclaration,
  parts: Pick<LookupState, 'files' | 'layers'>,
  states: SyncStates,
  { folder, paths, writer, buildEpoch, keepVersions, forcedBy, signal, onStep }: SyncOptions,
): Promise<Partial<SyncedLookup>> {
  const { name, gzip } = declaration;
  onStep(`${name}: merging ${parts.layers.length} layers`);
  const file = lookupFile(folder, declaration);
  const merged = await mergeLookupFiles({
    layers: declaration.layers.map(({ source, merge: rule }, index) => {
      const key = parts.layers[index]!;
      return { path: key === null ? paths[source]! : states.layerPath(key), merge: rule };
    }),
    file,
    gzip,
    lookupName: name,
    description: `${name}: IP lookup`,
    buildEpoch,
    guards: declaration.guards === false ? undefined : toGuards({ guards: true, ...declaration.guards }),
    forcedBy,
    keepVersions,
    writer,
    signal,
  });
  const { bytes, records, guards } = merged;
  const stamp = await stampOf(file);
  await states.write(name, {
    declaration: digest(contentOf(declaration)),
    ...parts,
    file,
    stamp,
    bytes,
    records,
  });
  return {
    file,
    bytes,
    records,
    guards,
    ...(merged.forcedBy !== undefined && { forcedBy: merged.forcedBy }),
  };
}

function lookupFile(folder: string, { name, gzip }: LookupDeclaration): string {
  return join(folder, `${name}.mmdb${gzip ? '.gz' : ''}`);
}

/** Guards only decide whether a lookup is replaced, and credentials whether a source can be fetched. */
function contentOf({ guards, layers, ...content }: LookupDeclaration): unknown {
  return { ...content, layers: layers.map(({ remote, ...layer }) => layer) };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
