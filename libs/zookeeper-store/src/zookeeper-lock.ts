import { setTimeout as sleep } from 'node:timers/promises';
import { type LibraryLock, LibraryLockedError, type LockHolder } from '@svc/library-sync';
import type { AccessEntry } from './wire/access-rules.js';
import { makePrivatePath } from './make-private-path.js';
import { isOutcomeUnknown, type ZookeeperClient } from './zookeeper-client.js';
import { NO_NODE, ZookeeperError } from './session/zookeeper-error.js';

const POLL_MS = 200;
/** Attempts when the lock turns out to be free. */
const ATTEMPTS = 5;
/** How long `release` waits for a lost connection to be restored; then it goes on in the background. */
const RECONNECT_MS = 3_000;

export const lockPath = (state: string): string => `${state}/lock`;
export const holderPath = (state: string, id: string): string => `${state}/holders/${id}`;

export interface LockRequest {
  readonly holder: LockHolder;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Acquires the lock: one ephemeral node that all loads contend for, and one of the holder's own, which every write
 * checks. A load whose session has expired, or whose lock was removed and taken by another, can therefore no longer write, even
 * before it notices.
 *
 * @throws {LibraryLockedError}
 */
export async function acquireLock(
  client: ZookeeperClient,
  state: string,
  acl: readonly AccessEntry[],
  { holder, waitMs, signal }: LockRequest,
): Promise<LibraryLock> {
  await makePrivatePath(client, state, acl);
  await client.makePath(`${state}/holders`, acl);
  const end = performance.now() + waitMs;
  for (;;) {
    const current = await tryLock(client, state, acl, holder);
    if (current === 'taken') {
      const lock = { holder, release: async () => release(client, state, holder) };
      await removeFormerHolders(client, state, holder).catch(async (error: unknown) => {
        await lock.release();
        throw error;
      });
      return lock;
    }
    if (performance.now() >= end) throw new LibraryLockedError(current);
    await sleep(Math.min(POLL_MS, Math.max(1, end - performance.now())), undefined, { signal });
  }
}

async function tryLock(
  client: ZookeeperClient,
  state: string,
  acl: readonly AccessEntry[],
  holder: LockHolder,
): Promise<'taken' | LockHolder | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    if (await createLock(client, state, acl, holder)) return 'taken';
    // After a lost connection the lock may already be ours, since the session outlives the connection.
    const lock = await client.getData(lockPath(state));
    // Released meanwhile, or never created because the server was lost: try again.
    if (!lock && attempt < ATTEMPTS) continue;
    const current = lock && parseHolder(lock.data);
    return current?.id === holder.id ? 'taken' : current;
  }
}

/** @returns false if the lock exists already, or the outcome is unknown */
async function createLock(
  client: ZookeeperClient,
  state: string,
  acl: readonly AccessEntry[],
  holder: LockHolder,
): Promise<boolean> {
  const data = Buffer.from(JSON.stringify(holder));
  try {
    await client.multi([
      { type: 'create', path: lockPath(state), data, acl, ephemeral: true },
      { type: 'create', path: holderPath(state, holder.id), data: Buffer.alloc(0), acl, ephemeral: true },
    ]);
    return true;
  } catch (error) {
    const isThere = error instanceof ZookeeperError && error.reason === 'NODE_EXISTS';
    if (!isThere && !isOutcomeUnknown(error)) throw error;
    return false;
  }
}

/** If someone removed the lock's node, its former holder still has one of its own, and could write. */
async function removeFormerHolders(
  client: ZookeeperClient,
  state: string,
  { id }: LockHolder,
): Promise<void> {
  const ids = (await client.getChildren(`${state}/holders`)) ?? [];
  for (const former of ids.filter((one) => one !== id)) {
    await client
      .multi([{ type: 'remove', path: holderPath(state, former), version: -1 }])
      .catch((error: unknown) => {
        if (!(error instanceof ZookeeperError) || error.code !== NO_NODE) throw error;
      });
  }
}

function parseHolder(data: Buffer): LockHolder | undefined {
  try {
    return JSON.parse(data.toString()) as LockHolder;
  } catch {
    return undefined;
  }
}

/** If releasing fails, it is tried again until the session ends, with which the lock disappears: others may keep it for long. */
async function release(client: ZookeeperClient, state: string, holder: LockHolder): Promise<void> {
  if (await tryRelease(client, state, holder)) return;
  const trying = async (): Promise<void> => {
    do {
      await sleep(POLL_MS, undefined, { ref: false });
      await client.connected();
    } while (!(await tryRelease(client, state, holder)));
  };
  // The session has ended.
  const released = trying().catch(() => undefined);
  await Promise.race([released, sleep(RECONNECT_MS, undefined, { ref: false })]);
}

/** @returns false if it may be tried again; other errors are not reported, since the load itself has finished */
async function tryRelease(client: ZookeeperClient, state: string, { id }: LockHolder): Promise<boolean> {
  const remove = (path: string) => ({ type: 'remove', path, version: -1 }) as const;
  // All or nothing: once the holder's own node is gone, the lock is another's.
  return client.multi([remove(lockPath(state)), remove(holderPath(state, id))]).then(
    () => true,
    (error: unknown) => !isOutcomeUnknown(error),
  );
}
