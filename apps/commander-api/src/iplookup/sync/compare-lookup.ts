import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { CommanderError } from '../../errors/commander-error.js';
import { filesOf, type LookupDeclaration } from './lookup-declaration.js';
import { type FileStamp, isSameStamp, isSettled, sha256Of, stampOf } from './source-identity.js';
import { type FileState, type LookupState, SyncStates } from './sync-state.js';

/** Increase when the same source would produce a different layer: all lookups are then rebuilt. */
export const LAYER_FORMAT = 4;

/** Where a declared lookup and its sources are stored. */
export interface LookupPlaces {
  /** The folder of lookup files. */
  readonly folder: string;
  /** The path of each file that the lookup is built from. */
  readonly paths: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A lookup's declaration and files against what the last run built. */
export interface Comparison {
  readonly former: LookupState | undefined;
  /** The stamp of each file, by name; without sources that were never fetched. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** True if the lookup file is what the last run built of this declaration; its sources may have changed since. */
  readonly isAsDeclared: boolean;
  /** Why the lookup is out of date; none if it is up to date. */
  readonly reasons: readonly string[];
}

/** @throws {CommanderError} if a source does not exist */
export async function compareLookup(
  declaration: LookupDeclaration,
  { folder, paths }: LookupPlaces,
): Promise<Comparison> {
  const former = await new SyncStates(folder).read(declaration.name);
  const { stamps, unfetched } = await stampsOf(declaration, paths);
  if (former === undefined)
    return { former, stamps, isAsDeclared: false, reasons: ['it was never built', ...unfetched] };
  const file = await stampOf(lookupFile(folder, declaration)).catch(() => undefined);
  const changed = [...stamps].flatMap(([name, stamp]) =>
    isSameStamp(former.files[name]?.stamp, stamp) ? [] : [`${name} changed`],
  );
  const reason = lookupReason(declaration, former, file);
  return {
    former,
    stamps,
    isAsDeclared: reason === undefined,
    reasons: [...(reason === undefined ? [] : [reason]), ...unfetched, ...changed],
  };
}

function lookupReason(
  declaration: LookupDeclaration,
  former: LookupState,
  file: FileStamp | undefined,
): string | undefined {
  if (former.declaration !== declarationDigest(declaration)) return 'its declaration changed';
  // `sync` must not undo a rollback.
  if (former.rolledBackFrom === undefined && former.layerFormat !== LAYER_FORMAT)
    return 'this version of svccmd reads its sources differently';
  if (file === undefined) return 'its file is missing';
  return isSameStamp(former.stamp, file) ? undefined : 'its file was replaced';
}

async function stampsOf(
  { layers }: LookupDeclaration,
  paths: LookupPlaces['paths'],
): Promise<{ readonly stamps: Map<string, FileStamp>; readonly unfetched: readonly string[] }> {
  const stamps = new Map<string, FileStamp>();
  const unfetched: string[] = [];
  for (const layer of layers) {
    for (const name of filesOf(layer)) {
      try {
        stamps.set(name, await stampOf(paths[name]!));
      } catch (error) {
        const isFetched = layer.remote !== undefined && name === layer.source;
        if (!isFetched || !(error instanceof CommanderError) || error.code !== 'input_not_found') throw error;
        unfetched.push(`${name} was never fetched`);
      }
    }
  }
  return { stamps, unfetched };
}

/** Reads the files that changed, for their checksums. @throws {CommanderError} if one cannot be read */
export async function identifyFiles(
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

/** Whether files are those that the last run read. */
export function areSameFiles(files: Readonly<Record<string, FileState>>, { former }: Comparison): boolean {
  return Object.entries(files).every(([name, { sha256 }]) => former?.files[name]?.sha256 === sha256);
}

/** @throws {CommanderError} if a file is not as it was when its checksum was made */
export async function assertUnchanged(
  files: Readonly<Record<string, FileState>>,
  { stamps }: Pick<Comparison, 'stamps'>,
  { paths, signal }: LookupPlaces,
): Promise<void> {
  for (const [name, stamp] of stamps) {
    if (isSameStamp(await stampOf(paths[name]!), stamp)) continue;
    // Another run may have fetched the same content.
    if ((await sha256Of(paths[name]!, signal)) === files[name]!.sha256) continue;
    throw new CommanderError('unusable_input', `${name} changed while it was read: run the sync again`);
  }
}

/** Whether a file has the content from which the last run built. @throws {CommanderError} if it cannot be read */
export async function isAsBuilt(
  name: string,
  { files }: LookupState,
  { paths, signal }: LookupPlaces,
): Promise<boolean> {
  const path = paths[name]!;
  const stamp = await stampOf(path);
  const known = files[name];
  if (known === undefined) return false;
  if (isSameStamp(known.stamp, stamp)) return true;
  // A file that was too new at the time has no stamp.
  if (known.stamp !== undefined && known.stamp.bytes !== stamp.bytes) return false;
  return (await sha256Of(path, signal)) === known.sha256;
}

export function lookupFile(folder: string, { name, gzip }: LookupDeclaration): string {
  return join(folder, `${name}.mmdb${gzip ? '.gz' : ''}`);
}

/**
 * Omits what does not affect the content: guards only decide whether a lookup is replaced, credentials whether a source
 * can be fetched, and the next build writes the terms into its manifest.
 */
export function declarationDigest({ guards, layers, ...content }: LookupDeclaration): string {
  return digest({ ...content, layers: layers.map(({ remote, terms, ...layer }) => layer) });
}

/** SHA-256 of a value's JSON. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
