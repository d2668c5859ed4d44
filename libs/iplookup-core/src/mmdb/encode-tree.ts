import { LookupTooLargeError } from './mmdb.errors.js';
import { DATA, EMPTY, type NodeStore } from './node-store.js';
import { DATA_SEPARATOR_BYTES, type RecordSize } from './mmdb-format.js';

const NODES_PER_CHUNK = 1 << 16;

/** Writes one node. */
function writeNode(bytes: Uint8Array, at: number, left: number, right: number, recordSize: RecordSize): void {
  if (recordSize === 24) {
    bytes[at] = left >>> 16;
    bytes[at + 1] = left >>> 8;
    bytes[at + 2] = left;
    bytes[at + 3] = right >>> 16;
    bytes[at + 4] = right >>> 8;
    bytes[at + 5] = right;
  } else if (recordSize === 28) {
    bytes[at] = left >>> 16;
    bytes[at + 1] = left >>> 8;
    bytes[at + 2] = left;
    bytes[at + 3] = ((left >>> 24) << 4) | (right >>> 24);
    bytes[at + 4] = right >>> 16;
    bytes[at + 5] = right >>> 8;
    bytes[at + 6] = right;
  } else {
    bytes[at] = left >>> 24;
    bytes[at + 1] = left >>> 16;
    bytes[at + 2] = left >>> 8;
    bytes[at + 3] = left;
    bytes[at + 4] = right >>> 24;
    bytes[at + 5] = right >>> 16;
    bytes[at + 6] = right >>> 8;
    bytes[at + 7] = right;
  }
}

/**
 * Chooses the smallest record size that fits every reference.
 *
 * @throws {LookupTooLargeError} if none fits
 */
export function chooseRecordSize(nodeCount: number, dataBytes: number): RecordSize {
  const highest = nodeCount + DATA_SEPARATOR_BYTES + dataBytes;
  const size = ([24, 28, 32] as const).find((bits) => highest < 2 ** bits);
  if (size !== undefined) return size;
  throw new LookupTooLargeError(
    'the lookup needs more than 4 GiB, the limit of a lookup file: leave out rows or columns',
  );
}

/**
 * Encodes the search tree in chunks. Nodes are numbered children first, but the file's root must be node 0, so they
 * are written in reverse.
 *
 * @param places each value's offset in the data section, plus one
 */
export function* encodeTree(
  nodes: Pick<NodeStore, 'count' | 'copy'>,
  places: Uint32Array,
  recordSize: RecordSize,
): Generator<Uint8Array> {
  const { count } = nodes;
  const children = new Uint32Array(2 * Math.min(NODES_PER_CHUNK, count));
  for (let done = 0; done < count; done += NODES_PER_CHUNK) {
    const size = Math.min(NODES_PER_CHUNK, count - done);
    const bytes = Buffer.allocUnsafeSlow((size * recordSize) / 4);
    nodes.copy(count - done - size, size, children);
    encodeNodes(children, size, count, places, recordSize, bytes);
    yield bytes;
  }
}

/** Fills `bytes` with `size` nodes, of which the last comes first. @param count of all nodes */
function encodeNodes(
  children: Uint32Array,
  size: number,
  count: number,
  places: Uint32Array,
  recordSize: RecordSize,
  bytes: Uint8Array,
): void {
  const dataBase = count + DATA_SEPARATOR_BYTES - 1;
  const step = recordSize / 4;
  for (let at = 0, child = 2 * size - 2; child >= 0; at += step, child -= 2) {
    const left = children[child]!;
    const right = children[child + 1]!;
    writeNode(
      bytes,
      at,
      left === EMPTY ? count : fileReference(left, count, dataBase, places),
      right === EMPTY ? count : fileReference(right, count, dataBase, places),
      recordSize,
    );
  }
}

/**
 * The file's reference to a node or value. Computes both and masks one out: a branch would be mispredicted half the
 * time.
 */
function fileReference(reference: number, count: number, dataBase: number, places: Uint32Array): number {
  const number = reference & ~DATA;
  const ifValue = reference >> 31;
  return ((dataBase + places[number & ifValue]!) & ifValue) | ((count - 1 - number) & ~ifValue);
}
