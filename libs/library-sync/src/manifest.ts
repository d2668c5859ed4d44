import type { SourceSignature } from './ports/library-source.js';
import type { LockHolder } from './ports/library-store.js';

/** One load: what it wrote, and its source. */
export interface LoadRecord extends Partial<SourceSignature> {
  readonly load: number;
  /** Absent for a load of the source. A repair restores what others changed since the load before. */
  readonly kind?: 'rollback' | 'repair';
  /** See `LibrarySource.name`. */
  readonly source: string;
  readonly source_kind: 'folder' | 'git';
  /** See `LibrarySource.origin`. */
  readonly origin: string;
  /**
   * Origin of the source that owns the destination; differs from `origin` after a rollback to a previous owner's
   * load.
   */
  readonly owner?: string;
  readonly revision: string;
  /** The revision did not descend from the one loaded before, which `--allow-older` accepted. */
  readonly allowed_older?: true;
  readonly by: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly finished_at?: string;
  readonly created?: number;
  readonly updated?: number;
  readonly deleted?: number;
  readonly unchanged?: number;
  readonly files: number;
  readonly bytes: number;
  /** Value of the version node after the load. */
  readonly version?: string;
  /** Number of nodes holding the list of paths. */
  readonly parts: number;
  /** Number of nodes after those, holding node versions; see `VersionHistory`. */
  readonly version_parts?: number;
  /** See `VersionHistory.floor`. */
  readonly version_floor?: number;
  /** Number of nodes after those, holding leftovers of interrupted loads; only until the load is done. */
  readonly leftover_parts?: number;
  /** Of a rollback that undoes an interrupted load: the revision of that load; only until the rollback is done. */
  readonly undone_revision?: string;
}

/** The last finished load, and the running or interrupted one. */
export interface Manifest extends Partial<SourceSignature> {
  readonly format: 1;
  /** The last finished load; 0 before the first. */
  readonly load: number;
  readonly revision: string;
  readonly source: string;
  /**
   * How the source was read (subfolder, exclusions, names): equal revisions mean equal content only if this matches.
   */
  readonly reading: string;
  /** Set before a load's first write, cleared with its last. */
  readonly pending?: {
    readonly load: number;
    readonly by: string;
    readonly since: string;
    /** Of a rollback: number of the load that it restores. */
    readonly restores?: number;
  };
  /** The revision undone by a rollback: it must not be reloaded just because it is the source's newest. */
  readonly rolled_back?: string;
}

/** Paths of nodes in the state area. */
export const MANIFEST = 'manifest';
/** Holds the lock's holder while locked. */
export const LOCK = 'lock';
export const LOADS = 'loads';
export const loadPath = (load: number): string => `${LOADS}/${load}`;
export const recordPath = (load: number): string => `${LOADS}/${load}/record`;
export const partPath = (load: number, part: number): string => `${LOADS}/${load}/${part}`;

/** The supported format. */
const FORMAT = 1;

/**
 * @returns undefined if a later version wrote it
 * @throws {Error} naming what is invalid
 */
export function parseManifest(data: Uint8Array): Manifest | undefined {
  const manifest = parseJson(data);
  const { format, load, pending } = manifest;
  if (typeof format === 'number' && format > FORMAT) return undefined;
  if (format !== FORMAT || !isCount(load)) throw new Error('not a manifest');
  if (pending !== undefined && !isCount((pending as Manifest['pending'])?.load)) {
    throw new Error('its pending load has no number');
  }
  return manifest as unknown as Manifest;
}

/**
 * The revision of an interrupted load of the source, parts of which the destination has. A rollback that was interrupted undoes
 * what it would have undone.
 *
 * @param pending the interrupted load
 */
export function interruptedRevision(pending: LoadRecord | undefined): string | undefined {
  return pending?.kind === undefined ? pending?.revision : pending.undone_revision;
}

/** True for a load that the manifest does not know as finished; without a manifest, only the records tell. */
export function isAhead(load: number, manifest: Manifest | undefined): boolean {
  return manifest !== undefined && load > manifest.load;
}

/** Who signed what was loaded, or nothing. */
export function signatureOf({
  signed_by,
  signing_key,
  signed_at,
}: Partial<SourceSignature>): SourceSignature | undefined {
  if (signed_by === undefined || signing_key === undefined || signed_at === undefined) return undefined;
  return { signed_by, signing_key, signed_at };
}

export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** @throws {Error} naming what is invalid */
export function parseRecord(data: Uint8Array): LoadRecord {
  const record = parseJson(data);
  const { load, revision, parts, version_parts = 0, version_floor = 0, leftover_parts = 0 } = record;
  const hasParts = [parts, version_parts, leftover_parts].every((count) => isCount(count, MAX_PARTS));
  if (!isCount(load) || !hasParts || !isCount(version_floor) || typeof revision !== 'string')
    throw new Error('not a load record');
  for (const name of ['origin', 'owner']) {
    const stored = record[name];
    if (typeof stored === 'string') record[name] = toPresentOrigin(stored);
  }
  return record as unknown as LoadRecord;
}

/** In records of 0.1.0, the URL of a Git source may have "%40", which is now "@". */
function toPresentOrigin(origin: string): string {
  return origin.replace(/^https?:\/\/\S*/, (url) => url.replaceAll('%40', '@'));
}

/** More than any library needs: these would be gigabytes of paths. */
const MAX_PARTS = 10_000;

function isCount(value: unknown, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** @throws {Error} naming what is invalid */
export function parseHolder(data: Uint8Array): LockHolder {
  const holder = parseJson(data);
  const isHolder = ['id', 'by', 'since'].every((name) => typeof holder[name] === 'string');
  if (!isHolder) throw new Error('it has no holder');
  return holder as unknown as LockHolder;
}

/** @throws {Error} unless it is a JSON object */
function parseJson(data: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(data).toString());
  } catch (error) {
    throw new Error('it is not JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null) throw new Error('not a JSON object');
  return value as Record<string, unknown>;
}
