import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FileLockHolder {
  /** Unique per lock that is taken. */
  readonly id: string;
  /** The holder, for messages: `root@host, process 12`. */
  readonly by: string;
  /** When it began, ISO 8601. */
  readonly since: string;
}

export interface FileLock {
  readonly holder: FileLockHolder;
  /** Never rejects: a lock that cannot be released becomes abandoned. */
  release(): Promise<void>;
}

/** Another process holds the lock. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';

  /** @param holder undefined if it is not known */
  constructor(
    readonly path: string,
    readonly holder: FileLockHolder | undefined,
  ) {
    super(`${path} is held by ${holder ? `${holder.by} since ${holder.since}` : 'an unknown process'}`);
  }
}

/** The file is not a lock: another program wrote it. */
export class DamagedLockError extends Error {
  override readonly name = 'DamagedLockError';

  constructor(readonly path: string) {
    super(`${path} is not a lock; remove it`);
  }
}

interface LockFile extends FileLockHolder {
  readonly host: string;
  readonly pid: number;
  /** See {@link startOf}: a container's processes have the same number each time it starts. */
  readonly started?: string | undefined;
  /** Containers with one host name need not see each other's processes. Earlier versions do not write it. */
  readonly pidNamespace?: string | undefined;
}

const POLL_MS = 200;
/** How often the holder touches its lock. */
const BEAT_MS = 5_000;
/** A lock not touched for this long is abandoned, if its process cannot be found. */
const STALE_MS = 60_000;
/** Clocks differ between hosts, and are set: only what is not touched meanwhile is abandoned. */
const PROOF_MS = 2 * BEAT_MS + 1_000;
/** A lock not touched for this long could have been taken over: it was abandoned, and then watched. */
const ABANDONED_MS = 75_000;

export interface FileLockOptions {
  /** How long to wait for the holder, in milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Names a temporary file, in the same folder, which a killed process leaves behind. Default: the lock's name, and a random
   * ending.
   */
  readonly temporaryPath?: () => string;
}

/**
 * Acquires a lock file. Takes over the lock of a dead process. If it is unknown whether the process is alive, since it runs on
 * another host or in another container, or another process has its number, takes over a lock that has not been touched for a
 * minute and stays untouched while it is watched.
 *
 * @param path in a folder that exists
 * @throws {FileLockedError} if it is still held after `waitMs`
 * @throws {DamagedLockError}
 */
export async function takeFileLock(
  path: string,
  holder: FileLockHolder,
  { waitMs, signal, temporaryPath = () => `${path}.${randomUUID()}` }: FileLockOptions,
): Promise<FileLock> {
  const end = performance.now() + waitMs;
  const content: LockFile = {
    ...holder,
    host: hostname(),
    pid: process.pid,
    started: await startOf(process.pid),
    pidNamespace: await ownPidNamespace(),
  };
  for (let attempt = 1; ; attempt += 1) {
    if (await tryCreate(path, content, temporaryPath())) return hold(path, holder);
    const current = await readLock(path);
    // Released meanwhile: try again.
    if (!current && attempt === 1) continue;
    if (current && (await isStale(path, current, signal))) {
      await removeStale(path, current, temporaryPath());
      continue;
    }
    if (performance.now() >= end) throw new FileLockedError(path, current);
    await sleep(Math.min(POLL_MS, Math.max(1, end - performance.now())), undefined, { signal });
  }
}

/** True while the lock file belongs to the holder. @throws {DamagedLockError} */
export async function holdsFileLock(path: string, { id }: FileLockHolder): Promise<boolean> {
  return (await readLock(path))?.id === id;
}

/**
 * True if the lock's holder has ended, without taking the lock. If it is unknown whether its process is alive, a lock that has not
 * been touched for longer than any waiter needs to take it over counts as abandoned.
 *
 * @throws {DamagedLockError}
 */
export async function isFileLockAbandoned(path: string): Promise<boolean> {
  const lock = await readLock(path);
  if (!lock) return true;
  const runs = await isRunning(lock);
  if (runs !== undefined) return !runs;
  const touched = await touchedAt(path);
  // A time in the future is that of a clock which is ahead of this one: the holder may be touching it.
  return touched === undefined || Date.now() - touched > ABANDONED_MS;
}

/** Creates the file atomically with its content: `link` fails if the name exists. */
async function tryCreate(path: string, content: LockFile, draft: string): Promise<boolean> {
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

function hold(path: string, holder: FileLockHolder): FileLock {
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
async function removeStale(path: string, { id }: LockFile, aside: string): Promise<void> {
  try {
    await rename(path, aside);
    if ((await readLock(aside))?.id !== id) await link(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** @throws {DamagedLockError} if it is not a lock: locks are created atomically, so another program wrote it */
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
  throw new DamagedLockError(path);
}

async function isStale(path: string, lock: LockFile, signal?: AbortSignal): Promise<boolean> {
  const runs = await isRunning(lock);
  if (runs !== undefined) return !runs;
  const touched = await touchedAt(path);
  // A time in the future stems from before a clock was set back.
  if (touched === undefined || Math.abs(Date.now() - touched) <= STALE_MS) return false;
  await sleep(PROOF_MS, undefined, { signal });
  return (await touchedAt(path)) === touched;
}

const touchedAt = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.mtimeMs;

/**
 * @returns undefined if it cannot be told: the holder ran on another host, or in another container of this host's name, or another
 *   process has its number
 */
async function isRunning({ host, pid, started, pidNamespace }: LockFile): Promise<boolean | undefined> {
  if (host !== hostname()) return undefined;
  if (pidNamespace !== undefined && pidNamespace !== (await ownPidNamespace())) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === (await startOf(pid)) ? true : undefined;
}

/** When a process started, in clock ticks since the system did (proc(5)); undefined where that is not known. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The program's name, in parentheses, may contain any character; this is the 20th value after it.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

/** Identifies the processes that this one can see (pid_namespaces(7)); undefined where that is not known. */
const ownPidNamespace = async (): Promise<string | undefined> =>
  readlink('/proc/self/ns/pid').catch(() => undefined);
