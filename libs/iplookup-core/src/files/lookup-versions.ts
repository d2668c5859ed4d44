import { randomBytes } from 'node:crypto';
import {
  copyFile,
  link,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolders } from '@svc/foundation/files';
import { errorCode, NO_LINKS, OutputFileError } from './file.errors.js';
import { lockLookup } from './lookup-lock.js';
import { flushFolder, partialPath } from './partial-file.js';

/** Hidden, with files named by number, so that programs looking for lookups do not find the versions. */
const FOLDER = '.history';

/** A former version of a lookup file. */
export interface LookupVersion {
  /** Increases with each version. */
  readonly number: number;
  readonly path: string;
  readonly bytes: number;
  /** When it was written. */
  readonly modified: Date;
}

/** The folder with the former versions of a lookup file. */
export function historyFolder(target: string): string {
  return join(dirname(target), FOLDER, basename(target));
}

/** The former versions of a lookup file, newest first. */
export async function listVersions(target: string): Promise<LookupVersion[]> {
  const current = await inodeOf(target);
  const versions: LookupVersion[] = [];
  // The current file is among them while it is being replaced, or if that was interrupted.
  const seen = new Set([current]);
  for (const number of await versionNumbers(target)) {
    const path = join(historyFolder(target), String(number));
    const entry = await stat(path).catch(() => undefined);
    // An interrupted rollback leaves a version under its former number too.
    if (entry === undefined || entry.size === 0 || seen.has(entry.ino)) continue;
    seen.add(entry.ino);
    versions.push({ number, path, bytes: entry.size, modified: entry.mtime });
  }
  return versions;
}

/**
 * Keeps the current file as a version before another one replaces it: as a hard link, which is instant and takes no
 * space.
 *
 * @returns the version's number; undefined if there is no file
 */
export async function keepVersion(target: string): Promise<number | undefined> {
  for (let attempt = 1; ; attempt++) {
    const inode = await inodeOf(target);
    if (inode === undefined) return undefined;
    try {
      return await keepCurrent(target, inode);
    } catch (error) {
      // Another process may delete the empty folder, or the lookup.
      if (errorCode(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

const MAX_ATTEMPTS = 5;

async function keepCurrent(target: string, inode: number): Promise<number> {
  const folder = historyFolder(target);
  await makeFolders(folder);
  const numbers = await versionNumbers(target);
  const [newest = 0] = numbers;
  if (newest > 0 && (await inodeOf(join(folder, String(newest)))) === inode) return newest;
  let number = newest + 1;
  // Another process may take the number in between.
  while (!(await linkOrCopy(target, join(folder, String(number))))) number++;
  return number;
}

/** Deletes all but the newest versions. Ignores failures: the next call deletes what remains. */
export async function pruneVersions(target: string, keep: number): Promise<void> {
  const folder = historyFolder(target);
  const kept = new Set((await listVersions(target)).slice(0, keep).map(({ number }) => number));
  const [newest, ...others] = await versionNumbers(target);
  // The newest may be the current file, which another process is about to replace.
  const isCurrent =
    newest !== undefined && (await inodeOf(join(folder, String(newest)))) === (await inodeOf(target));
  for (const number of isCurrent ? others : [newest, ...others])
    if (number !== undefined && !kept.has(number))
      await rm(join(folder, String(number)), { force: true }).catch(() => undefined);
  await removeStalePartials(folder);
  await removeEmpty(folder);
}

/** Deletes all versions. */
export async function deleteVersions(target: string): Promise<void> {
  await rm(historyFolder(target), { recursive: true, force: true });
  await removeEmpty(dirname(historyFolder(target)));
}

/** The result of a rollback. */
export interface Rollback {
  readonly restored: LookupVersion;
  /** The number of the version that it replaced; undefined if there was no lookup. */
  readonly replaced: number | undefined;
}

/**
 * Restores a former version, and keeps the current file as a version. Readers always find one of the two.
 *
 * @param number default: the newest
 * @param beforeSwap called with the version, under a temporary name, before it replaces the current file
 * @returns undefined if there is no such version
 * @throws {OutputFileError}
 */
export async function restoreVersion(
  target: string,
  number?: number,
  beforeSwap?: (draft: string) => Promise<void>,
): Promise<Rollback | undefined> {
  if ((await listVersions(target)).length === 0) return undefined;
  const lock = await lockLookup(target);
  const draft = partialPath(target, randomBytes(6).toString('hex'));
  try {
    const versions = await listVersions(target);
    const restored = versions.find((version) => number === undefined || version.number === number);
    if (restored === undefined) return undefined;
    await linkOrCopy(restored.path, draft);
    // Readers notice a new file by its time, and of plain and gzipped lookups the newer one counts.
    await utimes(draft, new Date(), new Date());
    await beforeSwap?.(draft);
    const replaced = await keepVersion(target);
    await rename(draft, target);
    await flushFolder(dirname(target));
    await rm(restored.path, { force: true });
    return { restored, replaced };
  } catch (error) {
    throw OutputFileError.from(target, error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
    await lock?.release();
  }
}

/** Numbers of versions, highest first. */
async function versionNumbers(target: string): Promise<number[]> {
  const names = await readdir(historyFolder(target)).catch(() => []);
  return names
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number)
    .sort((a, b) => b - a);
}

async function inodeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

/** @returns false if the name is taken */
async function linkOrCopy(source: string, path: string): Promise<boolean> {
  try {
    await link(await realpath(source), path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (!NO_LINKS.includes(code)) throw error;
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await copyFile(source, draft);
    // Reserves the name unless it is taken; empty files do not count as versions.
    await writeFile(path, '', { flag: 'wx' });
    await rename(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Copies that were interrupted long ago. */
async function removeStalePartials(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((file) => file.endsWith('.partial'))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > STALE_MS) await rm(path, { force: true }).catch(() => undefined);
  }
}

const STALE_MS = 60 * 60 * 1000;

async function removeEmpty(folder: string): Promise<void> {
  // It may have been used again.
  await rmdir(folder).catch(() => undefined);
}
