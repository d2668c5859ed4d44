import { gunzipSync, gzipSync } from 'node:zlib';
import type { StoredNode } from './ports/library-store.js';

/** Paths a load wrote: files with their content hash, folders with a trailing `/` and no hash. */
export type PathList = ReadonlyMap<string, string>;

/** Uncompressed size of a part; it fits into a request even if it does not compress. */
const PART_BYTES = 400_000;
/** No version of the loader wrote larger parts. */
const MAX_PART_BYTES = 64 << 20;

/**
 * Splits the list, as lines of `<hash> <path>`, into parts.
 *
 * @param requestBytes the destination's request limit
 */
export function cutPaths(paths: PathList, requestBytes = Infinity): string[] {
  // Incompressible text grows slightly.
  const partBytes = Math.min(PART_BYTES, requestBytes / 2);
  const parts: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const [path, hash] of paths) {
    const line = `${hash} ${path}\n`;
    const size = Buffer.byteLength(line);
    if (bytes > 0 && bytes + size > partBytes) {
      parts.push(lines.join(''));
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += size;
  }
  if (lines.length > 0) parts.push(lines.join(''));
  return parts;
}

/**
 * True for a node that is as a load recorded it. A load may have kept nodes that its source did not have, such as with
 * `prune: none`: they belong to it, but its copy or commit does not have them.
 *
 * @param recorded what the load wrote and kept
 */
export function isAsRecorded(
  path: string,
  { kind, hash }: { readonly kind: StoredNode['kind']; readonly hash: string },
  recorded: PathList,
): boolean {
  if (kind === 'folder') return recorded.has(`${path}/`);
  return recorded.get(path) === hash || (kind !== 'file' && recorded.has(`${path}/`));
}

/** @param text one part from `cutPaths` */
export function encodePart(text: string): Uint8Array {
  return gzipSync(text);
}

/**
 * The inverse of `encodePart`.
 *
 * @throws {Error} if the data is invalid
 */
export function decodePart(data: Uint8Array): PathList {
  const paths = new Map<string, string>();
  for (const line of gunzipSync(data, { maxOutputLength: MAX_PART_BYTES }).toString().split('\n')) {
    const space = line.indexOf(' ');
    if (space >= 0) paths.set(line.slice(space + 1), line.slice(0, space));
  }
  return paths;
}
