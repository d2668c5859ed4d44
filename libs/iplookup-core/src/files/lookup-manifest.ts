import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { GuardResult } from './guard-swap.js';
import { historyFolder } from './lookup-versions.js';
import { writeFileAtomically } from './write-file-atomically.js';

/** A file that a lookup was built from. */
export interface ManifestSource {
  readonly name: string;
  readonly bytes: number;
  /** When it was written, in ISO 8601. */
  readonly modified: string;
  /** Absent if the file changed while the lookup was built. */
  readonly sha256?: string;
}

/** What a lookup was built from, and how. */
export interface LookupManifest extends GuardResult {
  readonly file: string;
  /** Hash of the lookup file that the manifest describes. */
  readonly sha256: string;
  readonly [name: string]: unknown;
}

/** Manifests kept in addition to the versions', since interrupted builds leave some behind. */
const SPARE = 8;

/** SHA-256 of a file's content, in hexadecimal. Reads into one buffer, since a new one for each chunk costs more than hashing. */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  const file = await open(path);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Describes a source; comparing it before and after a build shows whether the file changed. */
export async function describeSource(path: string, name: string): Promise<Omit<ManifestSource, 'sha256'>> {
  const { size, mtime } = await stat(path);
  return { name: basename(name), bytes: size, modified: mtime.toISOString() };
}

/**
 * Writes the manifest of a lookup file that is about to be put in place. Manifests are named by the SHA-256 of their file, so
 * that a run that dies in between leaves both lookups with the right one.
 *
 * @returns puts back what was there, for a lookup that is not put in place after all
 */
export async function writeManifest(target: string, manifest: LookupManifest): Promise<() => Promise<void>> {
  const path = join(historyFolder(target), `${manifest.sha256}.json`);
  // Of a lookup with the same content.
  const former = await readFile(path).catch(() => undefined);
  const write = async (text: string | Buffer): Promise<unknown> =>
    writeFileAtomically(path, Readable.from([Buffer.from(text)]), { gzip: false });
  await write(`${JSON.stringify(manifest, undefined, 2)}\n`);
  return async () => {
    await (former === undefined ? rm(path, { force: true }) : write(former));
  };
}

/**
 * Deletes all but the newest manifests.
 *
 * @param keep how many former versions of the file are kept
 */
export async function pruneManifests(target: string, keep: number): Promise<void> {
  const folder = historyFolder(target);
  const found: { readonly path: string; readonly modified: number }[] = [];
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((file) => file.endsWith('.json'))) {
    const path = join(folder, name);
    const entry = await stat(path).catch(() => undefined);
    if (entry !== undefined) found.push({ path, modified: entry.mtimeMs });
  }
  const surplus = found.sort((a, b) => b.modified - a.modified).slice(keep + SPARE);
  for (const { path } of surplus) await rm(path, { force: true });
}

/** The manifest that describes the current content of a lookup file, if there is one. */
export async function readManifest(path: string): Promise<LookupManifest | undefined> {
  const folder = historyFolder(path);
  const isAny = (await readdir(folder).catch(() => [])).some((name) => name.endsWith('.json'));
  if (!isAny) return undefined;
  const sha256 = await sha256OfFile(path);
  try {
    const manifest = JSON.parse(await readFile(join(folder, `${sha256}.json`), 'utf8')) as LookupManifest;
    return manifest.sha256 === sha256 ? manifest : undefined;
  } catch {
    return undefined;
  }
}
