import { gunzipSync, gzipSync } from 'node:zlib';

/** Path of each file that a load put there, with its content's hash; folders end with `/` and have no hash. */
export type PathList = ReadonlyMap<string, string>;

/** Bytes of a part before it is compressed: one whose names do not compress fits in a request all the same. */
const PART_BYTES = 400_000;
/** No loader wrote a part of more text than this. */
const MAX_PART_BYTES = 64 << 20;

/**
 * Lines `<hash> <path>`, as the texts of as many parts as they need.
 *
 * @param requestBytes what a request to the destination may have
 */
export function cutPaths(paths: PathList, requestBytes = Infinity): string[] {
  // Text that does not compress becomes a little larger.
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

/** @param text of one part, as `cutPaths` makes it */
export function encodePart(text: string): Uint8Array {
  return gzipSync(text);
}

/**
 * The reverse of `encodePart`.
 *
 * @throws {Error} when that did not make it
 */
export function decodePart(data: Uint8Array): PathList {
  const paths = new Map<string, string>();
  for (const line of gunzipSync(data, { maxOutputLength: MAX_PART_BYTES }).toString().split('\n')) {
    const space = line.indexOf(' ');
    if (space >= 0) paths.set(line.slice(space + 1), line.slice(0, space));
  }
  return paths;
}
