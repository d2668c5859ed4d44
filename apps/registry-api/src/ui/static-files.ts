import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file as it is sent. */
export interface StaticFile {
  readonly contentType: string;
  readonly plain: Buffer;
  /** For callers that accept gzip; absent where compression does not help. */
  readonly gzipped?: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Kinds that are compressed as they are. */
const COMPRESSED = ['.woff2'];

/**
 * Reads all files of a folder, not of folders in it, so that a request can only ever name one of them.
 *
 * @returns by name; empty when there is no such folder
 */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const name of namesIn(folder)) files.set(name, staticFile(name, readFileSync(join(folder, name))));
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function staticFile(name: string, plain: Buffer): StaticFile {
  const extension = extname(name);
  const contentType = CONTENT_TYPES[extension] ?? 'application/octet-stream';
  return COMPRESSED.includes(extension)
    ? { contentType, plain }
    : { contentType, plain, gzipped: gzipSync(plain, { level: 9 }) };
}
