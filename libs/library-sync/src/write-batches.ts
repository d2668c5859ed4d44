import { MAX_REQUEST_BYTES, maxDataBytes } from './checks/node-limits.js';
import { bytesOf } from './ports/file-content.js';
import {
  type LibraryLock,
  type LibraryStore,
  LockLostError,
  OutcomeUnknownError,
  type StoredNode,
  StoreRefusedError,
  WriteConflictError,
  type WriteOperation,
} from './ports/library-store.js';

/** A multi holds at most 100 operations, one of which checks the lock. */
export const BATCH_OPERATIONS = 99;
/** Well below ZooKeeper's limit on a request of 1,048,575 bytes. */
export const BATCH_BYTES = 900_000;
/** Concurrent batches. */
const IN_FLIGHT = 4;
/** Lost connections survived before the load gives up. */
const MAX_RECOVERIES = 5;
/** The same for a batch that must not be split. */
const MAX_WHOLE_RECOVERIES = 2;

/** Lengths, headers, ACL: more than any operation needs besides its path and data. */
const OPERATION_OVERHEAD = 64;

/** An operation's share of a request, in bytes. */
export function operationBytes(operation: WriteOperation, rootBytes: number): number {
  const data = operation.type === 'remove' ? 0 : operation.data.length;
  return OPERATION_OVERHEAD + rootBytes + Buffer.byteLength(operation.path) + data;
}

/** The fence node's path below the state root, plus ACLs longer than the open one. */
const FENCE_BYTES = 'holders/'.length + 36 + 16;

type RequestLimits = Pick<LibraryStore, 'rootBytes' | 'maxRequestBytes'>;

/** The batch limit in bytes: keeps the same distance to the destination's request limit as to the default one. */
export function batchBytes({ maxRequestBytes = MAX_REQUEST_BYTES }: RequestLimits): number {
  return Math.min(BATCH_BYTES, Math.floor((maxRequestBytes * BATCH_BYTES) / MAX_REQUEST_BYTES));
}

/**
 * Checks request sizes before the first write: an oversized request would drop the connection without naming the node.
 *
 * @throws {StoreRefusedError} naming the node
 */
export function assertRequestsFit(
  operations: readonly WriteOperation[],
  { rootBytes, maxRequestBytes }: RequestLimits,
): void {
  for (const operation of operations) {
    if (operation.type === 'remove') continue;
    const { path, data } = operation;
    const most = maxDataBytes(rootBytes + Buffer.byteLength(path), rootBytes + FENCE_BYTES, maxRequestBytes);
    if (data.length <= most) continue;
    throw new StoreRefusedError(
      `${path} has ${data.length} bytes, more than the ${most} that a request to this destination can hold; make it smaller or destination.path shorter`,
    );
  }
}

/** Splits operations into batches that fit into a request; a large operation gets one of its own. */
export function toBatches(
  operations: readonly WriteOperation[],
  rootBytes: number,
  maxBytes: number = BATCH_BYTES,
): WriteOperation[][] {
  const batches: WriteOperation[][] = [];
  let batch: WriteOperation[] = [];
  let bytes = 0;
  for (const operation of operations) {
    const size = operationBytes(operation, rootBytes);
    if (batch.length === BATCH_OPERATIONS || (batch.length > 0 && bytes + size > maxBytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(operation);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/**
 * Writes one batch that readers must see as a whole: unlike `writeBatches` it is never split.
 *
 * @returns false if the destination dropped the connection each time: nothing was written
 * @throws what `writeBatches` throws
 */
export async function writeWhole(
  store: LibraryStore,
  lock: LibraryLock,
  operations: readonly WriteOperation[],
  signal?: AbortSignal,
): Promise<boolean> {
  let rest = operations;
  for (let recoveries = 0; recoveries <= MAX_WHOLE_RECOVERIES && rest.length > 0; recoveries += 1) {
    const { failure } = await sendBatches(store, lock, [[...rest]], () => undefined, signal);
    if (failure === undefined) return true;
    signal?.throwIfAborted();
    const mayBeOurs = failure instanceof WriteConflictError && recoveries > 0;
    if (!(failure instanceof OutcomeUnknownError) && !mayBeOurs) throw failure;
    const before = rest.length;
    rest = await findMissing(store, rest);
    if (mayBeOurs && rest.length === before) throw failure;
  }
  return rest.length === 0;
}

/**
 * Writes operations in order, with a few batches in flight. After a lost connection, unacknowledged operations are
 * read back, and only those that did not take effect are repeated.
 *
 * @param onWritten called after each batch with the number of operations done
 * @throws what `LibraryStore.apply` throws; `onWritten` has then reported the progress
 */
export async function writeBatches(
  store: LibraryStore,
  lock: LibraryLock,
  operations: readonly WriteOperation[],
  onWritten: (count: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  let rest = operations;
  let maxBytes = batchBytes(store);
  let unsent = Infinity;
  for (let recoveries = 0; ; recoveries += 1) {
    const done = operations.length - rest.length;
    const { open, failure, ...sending } = await sendBatches(
      store,
      lock,
      toBatches(rest, store.rootBytes, maxBytes),
      (count) => onWritten(done + count),
      signal,
    );
    if (failure === undefined) return;
    signal?.throwIfAborted();
    const isLost = failure instanceof OutcomeUnknownError;
    // The server read back from may have lagged behind; the conflict may be our own write.
    const mayBeOurs = failure instanceof WriteConflictError && recoveries > 0;
    if (!isLost && !mayBeOurs) throw failure;
    if (recoveries === MAX_RECOVERIES) throw withLargest(failure, open);
    const before = rest.length;
    // Operations never sent need not be read back: there may be a hundred thousand of them, at the end.
    unsent = Math.min(unsent, sending.unsent);
    const sent = open.length - unsent;
    rest = [...(await findMissing(store, open.slice(0, sent))), ...open.slice(sent)];
    // Nothing succeeded: the server may have a lower request limit, which it does not report.
    if (isLost && rest.length === before) maxBytes = Math.floor(maxBytes / 2);
    if (mayBeOurs && rest.length === open.length) throw failure;
    onWritten(operations.length - rest.length);
  }
}

/** A server with a lower request limit drops the connection every time, without an explanation. */
function withLargest(failure: Error, open: readonly WriteOperation[]): Error {
  const sizes = open.map((operation) => ({ path: operation.path, bytes: operationBytes(operation, 0) }));
  const { path, bytes } = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return new OutcomeUnknownError(
    `${failure.message}, ${MAX_RECOVERIES + 1} times; the largest node being written is ${path} (${bytes} bytes): see whether the servers' jute.maxbuffer is below 1 MiB`,
    { cause: failure },
  );
}

/**
 * @returns the unacknowledged operations, in order, of which the last `unsent` were not sent, and the reason; a lost
 * connection takes precedence
 */
async function sendBatches(
  store: LibraryStore,
  lock: LibraryLock,
  queue: WriteOperation[][],
  onWritten: (count: number) => void,
  signal?: AbortSignal,
): Promise<{ open: WriteOperation[]; unsent: number; failure: Error | undefined }> {
  const open = new Set(queue);
  const failures: Error[] = [];
  let written = 0;
  const sendNext = async (): Promise<void> => {
    for (let batch = queue[0]; batch !== undefined && failures.length === 0; batch = queue[0]) {
      queue.shift();
      try {
        signal?.throwIfAborted();
        await store.apply(batch, lock);
        open.delete(batch);
        onWritten((written += batch.length));
      } catch (error) {
        failures.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext));
  return { open: [...open].flat(), unsent: queue.flat().length, failure: mostTelling(failures) };
}

/** After a lost connection, later batches may fail only because an earlier one is missing. */
function mostTelling(failures: readonly Error[]): Error | undefined {
  return (
    failures.find((error) => error instanceof LockLostError) ??
    failures.find((error) => error instanceof OutcomeUnknownError) ??
    failures[0]
  );
}

/** The version shows how many of several identical writes of a node took effect. */
function isInPlace(
  operation: WriteOperation,
  node: StoredNode | undefined,
  { countsVersions }: LibraryStore,
): boolean {
  if (operation.type === 'remove' || !node) return operation.type === 'remove' && !node;
  const isWritten = operation.type === 'create' || !countsVersions || node.version > operation.version;
  return isWritten && Buffer.from(node.data).equals(bytesOf(operation.data));
}

async function findMissing(
  store: LibraryStore,
  operations: readonly WriteOperation[],
): Promise<WriteOperation[]> {
  const missing: WriteOperation[] = [];
  for (const area of ['library', 'state'] as const) {
    const mine = operations.filter((operation) => operation.area === area);
    const nodes = await store.read(
      area,
      mine.map(({ path }) => path),
    );
    for (const operation of mine) {
      if (!isInPlace(operation, nodes.get(operation.path), store)) missing.push(operation);
    }
  }
  const rest = new Set(missing);
  return operations.filter((operation) => rest.has(operation));
}
