import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '@svc/service-kit';
import { isLookupFile, LOOKUP_ENDINGS } from './lookup-paths.js';
import { assertBareName } from './source-file.js';

/** A lookup file in the folder of lookups. */
export interface LookupFile {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly modified: string;
  readonly gzip: boolean;
}

/** All lookup files of a folder, by name; none when there is no such folder. */
export async function listLookupFiles(folder: string): Promise<LookupFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => !name.startsWith('.') && isLookupFile(name),
  );
  const found = await Promise.all(
    names.sort().map(async (file) => {
      const entry = await stat(join(folder, file)).catch(() => undefined);
      if (!entry?.isFile()) return [];
      const modified = entry.mtime.toISOString();
      return [{ name: lookupName(file), file, bytes: entry.size, modified, gzip: file.endsWith('.gz') }];
    }),
  );
  return found.flat();
}

/** An open lookup file: what it holds does not change when another takes its name. */
export interface OpenLookupFile {
  readonly handle: FileHandle;
  readonly file: string;
  readonly bytes: number;
  readonly modified: Date;
  /** Changes whenever the content does. */
  readonly etag: string;
}

/**
 * Opens a lookup file by the lookup's name or its own.
 *
 * @throws {Problem} 400 for a name that names a folder, 404 when there is none
 */
export async function openLookupFile(folder: string, name: string): Promise<OpenLookupFile> {
  assertBareName(name);
  const files = isLookupFile(name) ? [name] : LOOKUP_ENDINGS.map((ending) => name + ending);
  for (const file of files) {
    const handle = await open(join(folder, file)).catch(() => undefined);
    if (handle === undefined) continue;
    const entry = await handle.stat({ bigint: true });
    if (!entry.isFile()) {
      await handle.close();
      continue;
    }
    const etag = `"${entry.ino.toString(36)}-${entry.mtimeNs.toString(36)}-${entry.size.toString(36)}"`;
    return { handle, file, bytes: Number(entry.size), modified: entry.mtime, etag };
  }
  throw new Problem({ status: 404, detail: `There is no lookup ${JSON.stringify(name)}.` });
}

function lookupName(file: string): string {
  return file.replace(/\.mmdb(\.gz)?$/, '');
}
