import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LibraryLock,
  LibraryLockedError,
  type LockHolder,
  UnreadableStateError,
} from '@svc/library-sync';

interface LockFile extends LockHolder {
  readonly host: string;
  readonly pid: number;
}

const POLL_MS = 200;
/** How often the holder touches its lock. */
const BEAT_MS = 5_000;
/** A lock of another host not touched for this long is abandoned. */
const STALE_MS = 60_000;
/** Clocks differ between hosts, and are set: only what is not touched meanwhile is abandoned. */
const PROOF_MS = 2 * BEAT_MS + 1_000;

/**
 * Acquires a lock file. Takes over the lock of a dead process, and on shared folders that of another host if not touched
 * for a minute, nor while it is watched.
 *
 * @param path in a folder that exists
 * @throws {LibraryLockedError} | {UnreadableStateError}
 */
export async function takeLockFile(
  path: string,
  holder: LockHolder,
  waitMs: number,
  signal?: AbortSignal,
): Promise<LibraryLock> {
  const end = performance.now() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    if (await tryCreate(path, holder)) return hold(path, holder);
    const current = await readLock(path);
    // Released meanwhile: try again.
    if (!current && attempt === 1) continue;
    if (current && (await isStale(path, current, signal))) {
      await removeStale(path, current);
      continue;
    }
    if (performance.now() >= end) throw new LibraryLockedError(current);
    await sleep(Math.min(POLL_MS, Math.max(1, end - performance.now())), undefined, { signal });
  }
}

/** True while the lock file belongs to the holder. */
export async function holdsLockFile(path: string, { id }: LockHolder): Promise<boolean> {
  return (await readLock(path))?.id === id;
}

/** Creates the file atomically with its content: `link` fails if the name exists. */
async function tryCreate(path: string, holder: LockHolder): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  const content: LockFile = { ...holder, host: hostname(), pid: process.pid };
  try {
    await writeFile(draft, JSON.stringify(content));
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function hold(path: string, holder: LockHolder): LibraryLock {
  const beat = setInterval(() => {
    // If the file is gone, the next write detects it.
    utimes(path, new Date(), new Date()).catch(() => undefined);
  }, BEAT_MS);
  beat.unref();
  return {
    holder,
    release: async () => {
      clearInterval(beat);
      const current = await readLock(path).catch(() => undefined);
      if (current?.id === holder.id) await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

/** Moves the lock away first, since another process may replace it between check and removal. */
async function removeStale(path: string, { id }: LockFile): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await readLock(aside))?.id !== id) await link(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** @throws {UnreadableStateError} if it is not a lock: locks are created atomically, so another program wrote it */
async function readLock(path: string): Promise<LockFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (text === undefined) return undefined;
  try {
    const lock = JSON.parse(text) as LockFile | null;
    if (typeof lock?.id === 'string' && Number.isInteger(lock.pid)) return lock;
  } catch {
    // Reported below, like JSON of another shape.
  }
  throw UnreadableStateError.damaged(path, 'it has no holder');
}

async function isStale(path: string, { host, pid }: LockFile, signal?: AbortSignal): Promise<boolean> {
  if (host === hostname()) return !isAlive(pid);
  const touched = await touchedAt(path);
  // A time in the future stems from before a clock was set back.
  if (touched === undefined || Math.abs(Date.now() - touched) <= STALE_MS) return false;
  await sleep(PROOF_MS, undefined, { signal });
  return (await touchedAt(path)) === touched;
}

const touchedAt = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.mtimeMs;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
