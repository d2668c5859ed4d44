import { MAX_REQUEST_BYTES, maxDataBytes } from './checks/node-limits.js';
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

/** A multi holds at most 100 operations; one of them checks that the lock is still held. */
export const BATCH_OPERATIONS = 99;
/** Well below ZooKeeper's limit on a request of 1,048,575 bytes. */
export const BATCH_BYTES = 900_000;
/** Batches under way at the same time. */
const IN_FLIGHT = 4;
/** How often writing goes on after a connection was lost, before the load gives up. */
const MAX_RECOVERIES = 5;

/** Lengths, headers, access list: more than any operation needs beside its path and data. */
const OPERATION_OVERHEAD = 64;

/** What an operation adds to a request, in bytes. */
export function operationBytes(operation: WriteOperation, rootBytes: number): number {
  const data = operation.type === 'remove' ? 0 : operation.data.length;
  return OPERATION_OVERHEAD + rootBytes + Buffer.byteLength(operation.path) + data;
}

/** The name of the node that each batch checks, below the state's root; access lists longer than the open one. */
const FENCE_BYTES = 'holders/'.length + 36 + 16;

type RequestLimits = Pick<LibraryStore, 'rootBytes' | 'maxRequestBytes'>;

/** What a batch may have at this destination, in bytes: as far below its limit as below the usual one. */
export function batchBytes({ maxRequestBytes = MAX_REQUEST_BYTES }: RequestLimits): number {
  return Math.min(BATCH_BYTES, Math.floor((maxRequestBytes * BATCH_BYTES) / MAX_REQUEST_BYTES));
}

/**
 * Asks before anything is written: a request that is too large would cost the connection, and name no culprit.
 *
 * @throws {StoreRefusedError} that names the node
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

/** Cuts a sequence into batches that fit in a request; an operation too large for company goes alone. */
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
 * Writes operations in order, in batches, a few under way at a time. When a connection is lost, what was not
 * acknowledged is read back, and only what is not in place is written again.
 *
 * @param onWritten called after each batch with the number of operations in place
 * @throws what `LibraryStore.apply` throws; `onWritten` has then said how far it came
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
  for (let recoveries = 0; ; recoveries += 1) {
    const done = operations.length - rest.length;
    const { open, failure } = await sendBatches(
      store,
      lock,
      toBatches(rest, store.rootBytes, maxBytes),
      (count) => onWritten(done + count),
      signal,
    );
    if (failure === undefined) return;
    signal?.throwIfAborted();
    const isLost = failure instanceof OutcomeUnknownError;
    // What was read back may have come from a server that had not yet seen a write of ours; now it has.
    const mayBeOurs = failure instanceof WriteConflictError && recoveries > 0;
    if (!isLost && !mayBeOurs) throw failure;
    if (recoveries === MAX_RECOVERIES) throw withLargest(failure, open);
    const before = rest.length;
    rest = await findMissing(store, open);
    // Nothing went through: the server may take smaller requests only, and does not say so.
    if (isLost && rest.length === before) maxBytes = Math.floor(maxBytes / 2);
    if (mayBeOurs && rest.length === open.length) throw failure;
    onWritten(operations.length - rest.length);
  }
}

/** A server whose limit is lower than others' drops the connection, time and again, and does not say why. */
function withLargest(failure: Error, open: readonly WriteOperation[]): Error {
  const sizes = open.map((operation) => ({ path: operation.path, bytes: operationBytes(operation, 0) }));
  const { path, bytes } = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return new OutcomeUnknownError(
    `${failure.message}, ${MAX_RECOVERIES + 1} times; the largest node under way is ${path} (${bytes} bytes): see whether the servers' jute.maxbuffer is below 1 MiB`,
    { cause: failure },
  );
}

/** @returns the operations that were not acknowledged, in order, and why; after a lost connection that comes first */
async function sendBatches(
  store: LibraryStore,
  lock: LibraryLock,
  queue: WriteOperation[][],
  onWritten: (count: number) => void,
  signal?: AbortSignal,
): Promise<{ open: WriteOperation[]; failure: Error | undefined }> {
  const open = new Set(queue);
  const failures: Error[] = [];
  let written = 0;
  const sendNext = async (): Promise<void> => {
    for (let batch = queue.shift(); batch !== undefined && failures.length === 0; batch = queue.shift()) {
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
  return { open: [...open].flat(), failure: mostTelling(failures) };
}

/** A batch that failed after the connection went may have failed for want of the one before it. */
function mostTelling(failures: readonly Error[]): Error | undefined {
  return (
    failures.find((error) => error instanceof LockLostError) ??
    failures.find((error) => error instanceof OutcomeUnknownError) ??
    failures[0]
  );
}

/** The version shows which of several identical writes of one node took place. */
function isInPlace(
  operation: WriteOperation,
  node: StoredNode | undefined,
  { countsVersions }: LibraryStore,
): boolean {
  if (operation.type === 'remove' || !node) return operation.type === 'remove' && !node;
  const isWritten = operation.type === 'create' || !countsVersions || node.version > operation.version;
  return isWritten && Buffer.from(node.data).equals(operation.data);
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
