import { gunzipSync, gzipSync } from 'node:zlib';

/** What one load put there, and where it came from. */
export interface LoadRecord {
  readonly load: number;
  /** See `LibrarySource.name`. */
  readonly source: string;
  readonly source_kind: 'folder' | 'git';
  /** See `LibrarySource.origin`. */
  readonly origin: string;
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
/** While the lock is held, this node says by whom. */
export const LOCK = 'lock';
export const LOADS = 'loads';
export const loadPath = (load: number): string => `${LOADS}/${load}`;
export const recordPath = (load: number): string => `${LOADS}/${load}/record`;
export const partPath = (load: number, part: number): string => `${LOADS}/${load}/${part}`;

/** Path of each file that a load put there, with its content's hash; folders end with `/` and have no hash. */
export type PathList = ReadonlyMap<string, string>;

/** Entries of one part: keeps each well below the limit of a request, compressed or not. */
const PART_ENTRIES = 10_000;

/** How many parts `encodePaths` makes. */
export function countParts(paths: PathList): number {
  return Math.ceil(paths.size / PART_ENTRIES);
}

/** @returns gzip of lines `<hash> <path>`, in parts of some hundred kilobytes */
export function encodePaths(paths: PathList): Uint8Array[] {
  const lines = [...paths].map(([path, hash]) => `${hash} ${path}\n`);
  const parts: Uint8Array[] = [];
  for (let start = 0; start < lines.length; start += PART_ENTRIES) {
    parts.push(gzipSync(lines.slice(start, start + PART_ENTRIES).join('')));
  }
  return parts;
}

/** The reverse of `encodePaths`. */
export function decodePaths(parts: readonly Uint8Array[]): Map<string, string> {
  const paths = new Map<string, string>();
  for (const part of parts) {
    for (const line of gunzipSync(part).toString().split('\n')) {
      const space = line.indexOf(' ');
      if (space >= 0) paths.set(line.slice(space + 1), line.slice(0, space));
    }
  }
  return paths;
}

/** @throws {Error} when another, later program wrote it */
export function parseManifest(data: Uint8Array): Manifest {
  const manifest = JSON.parse(Buffer.from(data).toString()) as Manifest;
  if (manifest.format !== 1) {
    throw new Error(
      'the manifest in the destination was written by a later svccmd; use that one or a newer one',
    );
  }
  return manifest;
}

export function encodeJson(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

export function parseRecord(data: Uint8Array): LoadRecord {
  return JSON.parse(Buffer.from(data).toString()) as LoadRecord;
}
