import type { LockHolder } from './ports/library-store.js';

/** What one load put there, and where it came from. */
export interface LoadRecord {
  readonly load: number;
  /** See `LibrarySource.name`. */
  readonly source: string;
  readonly source_kind: 'folder' | 'git';
  /** See `LibrarySource.origin`. */
  readonly origin: string;
  /** Origin of the source that the destination belongs to: another than `origin` after a rollback to a former one's load. */
  readonly owner?: string;
  readonly revision: string;
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
  /** Number of nodes beside this one that hold the list of paths. */
  readonly parts: number;
  /** Number of nodes after those that hold the versions of nodes; see `VersionHistory`. */
  readonly version_parts?: number;
  /** See `VersionHistory.floor`. */
  readonly version_floor?: number;
  /** Number of nodes after those with paths that loads put there which were cut off; only until the load is done. */
  readonly leftover_parts?: number;
}

/** The manifest's head: the load that the library stands at, and the one that is under way or was cut off. */
export interface Manifest {
  readonly format: 1;
  /** The last finished load; 0 before the first. */
  readonly load: number;
  readonly revision: string;
  readonly source: string;
  /** How the source was read (subfolder, exclusions, names), to tell whether an equal revision means equal content. */
  readonly reading: string;
  /** Set before the first write of a load, cleared with the last. */
  readonly pending?: { readonly load: number; readonly by: string; readonly since: string };
  /** The revision that a rollback took away: not to be loaded again just because it is the source's newest. */
  readonly rolled_back?: string;
}

/** Paths of nodes in the state area. */
export const MANIFEST = 'manifest';
/** The lock's holder, while the lock is held. */
export const LOCK = 'lock';
export const LOADS = 'loads';
export const loadPath = (load: number): string => `${LOADS}/${load}`;
export const recordPath = (load: number): string => `${LOADS}/${load}/record`;
export const partPath = (load: number, part: number): string => `${LOADS}/${load}/${part}`;

/** The format that this program reads and writes. */
const FORMAT = 1;

/**
 * @returns undefined when another, later program wrote it
 * @throws {Error} that names what is invalid
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

export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** @throws {Error} that names what is invalid */
export function parseRecord(data: Uint8Array): LoadRecord {
  const record = parseJson(data);
  const { load, revision, parts, version_parts = 0, version_floor = 0, leftover_parts = 0 } = record;
  const hasParts = [parts, version_parts, leftover_parts].every((count) => isCount(count, MAX_PARTS));
  if (!isCount(load) || !hasParts || !isCount(version_floor) || typeof revision !== 'string')
    throw new Error('not a load record');
  return record as unknown as LoadRecord;
}

/** More than any library needs: that would be gigabytes of paths. */
const MAX_PARTS = 10_000;

function isCount(value: unknown, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** @throws {Error} that names what is invalid */
export function parseHolder(data: Uint8Array): LockHolder {
  const holder = parseJson(data);
  const isHolder = ['id', 'by', 'since'].every((name) => typeof holder[name] === 'string');
  if (!isHolder) throw new Error('it names no holder');
  return holder as unknown as LockHolder;
}

/** @throws {Error} when not a JSON object */
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
