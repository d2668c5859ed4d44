import { LookupTooLargeError } from './mmdb.errors.js';
import { DATA, EMPTY, type NodeStore } from './node-store.js';
import { DATA_SEPARATOR_BYTES, type RecordSize } from './mmdb-format.js';

const NODES_PER_CHUNK = 1 << 16;

/** Writes one node. Of a node of 28-bit records, the byte in the middle holds the highest bits of both. */
function writeNode(view: DataView, at: number, left: number, right: number, recordSize: RecordSize): void {
  if (recordSize === 24) {
    view.setUint32(at, (left << 8) | (right >>> 16));
    view.setUint16(at + 4, right);
  } else if (recordSize === 28) {
    view.setUint32(at, (left << 8) | ((left >>> 24) << 4) | (right >>> 24));
    view.setUint16(at + 4, right >>> 8);
    view.setUint8(at + 6, right);
  } else {
    view.setUint32(at, left);
    view.setUint32(at + 4, right);
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
 * are written in reverse. Each chunk is valid until the next one is requested.
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
  const bytes = Buffer.allocUnsafeSlow((children.length * recordSize) / 8);
  const view = new DataView(bytes.buffer);
  for (let done = 0; done < count; done += NODES_PER_CHUNK) {
    const size = Math.min(NODES_PER_CHUNK, count - done);
    nodes.copy(count - done - size, size, children);
    encodeNodes(children, size, count, places, recordSize, view);
    yield bytes.subarray(0, (size * recordSize) / 4);
  }
}

/** Fills `view` with `size` nodes, of which the last comes first. @param count of all nodes */
function encodeNodes(
  children: Uint32Array,
  size: number,
  count: number,
  places: Uint32Array,
  recordSize: RecordSize,
  view: DataView,
): void {
  const dataBase = count + DATA_SEPARATOR_BYTES - 1;
  const step = recordSize / 4;
  for (let at = 0, child = 2 * size - 2; child >= 0; at += step, child -= 2) {
    const left = children[child]!;
    const right = children[child + 1]!;
    writeNode(
      view,
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
