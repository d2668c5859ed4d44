import {
  type LibraryLock,
  type LibraryStore,
  type StoredNode,
  WriteConflictError,
  type WriteOperation,
} from './ports/library-store.js';
import {
  encodeJson,
  loadPath,
  LOADS,
  MANIFEST,
  partPath,
  recordPath,
  signatureOf,
  type LoadRecord,
  type Manifest,
} from './manifest.js';
import { readManifest } from './load-state.js';
import { encodePart } from './path-list.js';
import type { SyncStep } from './plan-sync.js';
import { parseVersion, SIGNATURE_NODE } from './version-node.js';
import {
  assertRequestsFit,
  BATCH_OPERATIONS,
  batchBytes,
  operationBytes,
  writeBatches,
  writeWhole,
} from './write-batches.js';

/** A fully planned load, ready to be written. */
export interface DecidedLoad {
  readonly steps: readonly SyncStep[];
  readonly record: LoadRecord;
  /** The paths in the destination after the load; see `cutPaths`. */
  readonly parts: readonly string[];
  /** See `VersionHistory`. */
  readonly versionParts: readonly string[];
  /** Leftovers of interrupted loads that this one removes, recorded in case it is interrupted as well. */
  readonly leftoverParts: readonly string[];
  readonly reading: string;
  /** See `Manifest.rolled_back`. */
  readonly rolledBack?: string | undefined;
  /** See `LoadRecord.undone_revision`. */
  readonly undoneRevision?: string | undefined;
  /** See `Manifest.pending`. */
  readonly restores?: number | undefined;
  /** Absent if there is none. */
  readonly versionNode: string | undefined;
  /** Whether to increment the version, so that consumers reload. */
  readonly incrementsVersion: boolean;
}

const NOTHING = new Uint8Array();
const UNWRITTEN = { written: false } as const;

/** How often the version node may be changed by others meanwhile. */
const MAX_VERSION_ATTEMPTS = 5;

/** The load that writes, and its progress callback. */
export interface LoadWriter {
  readonly store: LibraryStore;
  readonly lock: LibraryLock;
  readonly now: () => Date;
  readonly onWritten: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a load so that it ends up either complete, with the version incremented, or marked as pending for the next
 * load to complete. A load that fits into one batch is atomic if the store is. Readers rely on this order
 * (docs/library-consumers.md): whenever the library is not whole, the manifest says that a load is pending.
 *
 * @returns the version node's new value
 */
export async function commitLoad(writer: LoadWriter, load: DecidedLoad): Promise<string | undefined> {
  const { store, lock } = writer;
  const isFirst = (await store.read('state', [LOADS])).size === 0;
  const opening = openingOperations(isFirst, load);
  const steps = load.steps.flatMap(toOperations);
  assertRequestsFit([...opening, ...steps], store);
  await store.prepare(lock);
  const fits = await writeAtOnce(writer, [...opening, ...steps], load);
  if (fits.written) return fits.version;
  const { leftoverParts } = load;
  await write(writer, leftoverParts.length > 0 ? openingOperations(isFirst, load, leftoverParts) : opening);
  if (steps.length > 0) await write(writer, [await markPending(writer, load)]);
  await writeBatches(store, lock, steps, (done) => writer.onWritten(done, steps.length), writer.signal);
  return (await close(writer, [], load)).version;
}

/** Records a new revision whose content equals the last load's. */
export async function recordRevision(writer: LoadWriter, load: DecidedLoad): Promise<void> {
  await writer.store.prepare(writer.lock);
  await write(writer, [await manifestOperation(writer, toManifest(load))]);
}

/** Writes in order, without progress. */
export async function write(writer: LoadWriter, operations: readonly WriteOperation[]): Promise<void> {
  await writeBatches(writer.store, writer.lock, operations, () => undefined, writer.signal);
}

/** The load's record and path lists, which are not read until the manifest refers to the load. */
function openingOperations(
  isFirst: boolean,
  { record, parts, versionParts, undoneRevision }: DecidedLoad,
  leftoverParts: readonly string[] = [],
): WriteOperation[] {
  const { load } = record;
  const opened = {
    ...record,
    ...(leftoverParts.length > 0 && { leftover_parts: leftoverParts.length }),
    ...(undoneRevision !== undefined && { undone_revision: undoneRevision }),
  };
  const operations = isFirst ? [create(LOADS, NOTHING, 'folder')] : [];
  operations.push(
    create(loadPath(load), NOTHING, 'folder'),
    create(recordPath(load), encodeJson(opened), 'file'),
  );
  for (const [index, part] of [...parts, ...versionParts, ...leftoverParts].entries()) {
    operations.push(create(partPath(load, index), encodePart(part), 'file'));
  }
  return operations;
}

async function writeAtOnce(
  writer: LoadWriter,
  operations: readonly WriteOperation[],
  load: DecidedLoad,
): Promise<{ written: boolean; version?: string | undefined }> {
  if (!writer.store.isAtomic) return UNWRITTEN;
  const rest = 4; // manifest, record, version node, signature node
  const bytes = operations.reduce(
    (sum, one) => sum + operationBytes(one, writer.store.rootBytes),
    rest * 2_000,
  );
  if (operations.length + rest > BATCH_OPERATIONS || bytes > batchBytes(writer.store)) return UNWRITTEN;
  const closed = await close(writer, operations, load, true);
  if (closed.written) writer.onWritten(load.steps.length, load.steps.length);
  return closed;
}

/**
 * The last batch: if needed, increments the version, then completes the record and updates the manifest. The manifest is
 * last because a load whose batch was cut off must still be pending.
 *
 * @param isWhole nothing is marked as pending, so it must be one batch
 */
async function close(
  writer: LoadWriter,
  before: readonly WriteOperation[],
  load: DecidedLoad,
  isWhole = false,
): Promise<{ written: boolean; version?: string | undefined }> {
  for (let attempt = 1; ; attempt += 1) {
    const { operations: versioning, version } = await versionOperations(writer.store, load);
    const finished = encodeJson({
      ...load.record,
      finished_at: writer.now().toISOString(),
      ...(version && { version }),
    });
    const record = create(recordPath(load.record.load), finished, 'file');
    const operations = before.map((one) => (one.area === 'state' && one.path === record.path ? record : one));
    operations.push(...versioning);
    if (!isWhole) operations.push(...(await updateRecord(writer.store, record.path, finished)));
    operations.push(await manifestOperation(writer, toManifest(load)));
    try {
      if (!isWhole) await write(writer, operations);
      else if (!(await writeWhole(writer.store, writer.lock, operations, writer.signal))) return UNWRITTEN;
      return { written: true, version };
    } catch (error) {
      const raced =
        error instanceof WriteConflictError &&
        error.area === 'library' &&
        [load.versionNode, SIGNATURE_NODE].includes(error.path);
      if (!raced || attempt === MAX_VERSION_ATTEMPTS) throw error;
    }
  }
}

async function updateRecord(store: LibraryStore, path: string, data: Uint8Array): Promise<WriteOperation[]> {
  const node = (await store.read('state', [path])).get(path);
  return node ? [{ type: 'update', area: 'state', path, kind: 'file', data, version: node.version }] : [];
}

/** The version, if consumers must reload, and the signer of the content. */
async function versionOperations(
  store: LibraryStore,
  { versionNode: path, incrementsVersion, record }: DecidedLoad,
): Promise<{ operations: WriteOperation[]; version: string | undefined }> {
  const nodes = await store.read('library', path === undefined ? [SIGNATURE_NODE] : [path, SIGNATURE_NODE]);
  const signature = nodes.get(SIGNATURE_NODE);
  if (path === undefined) return { operations: removal(signature), version: undefined };
  const node = nodes.get(path);
  const version = String(parseVersion(node?.data) + (incrementsVersion ? 1n : 0n));
  const operations = signatureOperations(version, record, signature);
  if (!incrementsVersion) return { operations, version: undefined };
  return { operations: [put(path, Buffer.from(version), node), ...operations], version };
}

/** An unverified load must not keep an earlier load's signature. */
function signatureOperations(
  version: string,
  record: LoadRecord,
  node: StoredNode | undefined,
): WriteOperation[] {
  const signature = signatureOf(record);
  if (!signature) return removal(node);
  const { load, revision } = record;
  return [put(SIGNATURE_NODE, encodeJson({ version, load, commit: revision, ...signature }), node)];
}

function removal(node: StoredNode | undefined): WriteOperation[] {
  return node ? [{ type: 'remove', area: 'library', path: node.path, version: node.version }] : [];
}

function put(path: string, data: Uint8Array, node: StoredNode | undefined): WriteOperation {
  const target = { area: 'library', path, kind: 'file', data } as const;
  return node ? { type: 'update', ...target, version: node.version } : { type: 'create', ...target };
}

async function markPending(writer: LoadWriter, { record, restores }: DecidedLoad): Promise<WriteOperation> {
  const former = (await readManifest(writer.store)) ?? EMPTY_MANIFEST;
  const { load, by, started_at: since } = record;
  const pending = { load, by, since, ...(restores !== undefined && { restores }) };
  return manifestOperation(writer, { ...former, pending });
}

async function manifestOperation(writer: LoadWriter, manifest: Manifest): Promise<WriteOperation> {
  const node = (await writer.store.read('state', [MANIFEST])).get(MANIFEST);
  const data = encodeJson(manifest);
  if (!node) return create(MANIFEST, data, 'file');
  return { type: 'update', area: 'state', path: MANIFEST, kind: 'file', data, version: node.version };
}

const EMPTY_MANIFEST: Manifest = { format: 1, load: 0, revision: '', source: '', reading: '' };

function toManifest({ record, reading, rolledBack }: DecidedLoad): Manifest {
  const { load, revision, source } = record;
  const settled = { format: 1, load, revision, source, reading, ...signatureOf(record) } as const;
  return { ...settled, ...(rolledBack && { rolled_back: rolledBack }) };
}

function create(path: string, data: Uint8Array, kind: 'file' | 'folder'): WriteOperation {
  return { type: 'create', area: 'state', path, kind, data };
}

/** A node written several times has its final content from the first write, so that it is always consistent. */
function toOperations({ action, path, kind, data, version = -1, raises = 0 }: SyncStep): WriteOperation[] {
  if (action === 'remove') return [{ type: 'remove', area: 'library', path, version }];
  const target = { area: 'library', path, kind, data } as const;
  const isNew = action === 'create';
  const first: WriteOperation = isNew
    ? { type: 'create', ...target }
    : { type: 'update', ...target, version };
  const next = isNew ? 0 : version + 1;
  const again = Array.from({ length: raises }, (_, index): WriteOperation => {
    return { type: 'update', ...target, version: next + index };
  });
  return [first, ...again];
}
