import { DATA, EMPTY, type NodeStore } from './node-store.js';
import { DATA_SEPARATOR_BYTES, type RecordSize } from './mmdb-format.js';

const NODES_PER_CHUNK = 1 << 16;

/** Writes one node. */
type NodeWriter = (bytes: Uint8Array, at: number, left: number, right: number) => void;

const NODE_WRITERS: Readonly<Record<RecordSize, NodeWriter>> = {
  24: (bytes, at, left, right) => {
    bytes[at] = left >>> 16;
    bytes[at + 1] = left >>> 8;
    bytes[at + 2] = left;
    bytes[at + 3] = right >>> 16;
    bytes[at + 4] = right >>> 8;
    bytes[at + 5] = right;
  },
  28: (bytes, at, left, right) => {
    bytes[at] = left >>> 16;
    bytes[at + 1] = left >>> 8;
    bytes[at + 2] = left;
    bytes[at + 3] = ((left >>> 24) << 4) | (right >>> 24);
    bytes[at + 4] = right >>> 16;
    bytes[at + 5] = right >>> 8;
    bytes[at + 6] = right;
  },
  32: (bytes, at, left, right) => {
    bytes[at] = left >>> 24;
    bytes[at + 1] = left >>> 16;
    bytes[at + 2] = left >>> 8;
    bytes[at + 3] = left;
    bytes[at + 4] = right >>> 24;
    bytes[at + 5] = right >>> 16;
    bytes[at + 6] = right >>> 8;
    bytes[at + 7] = right;
  },
};

/** The smallest record that can hold every reference, or `undefined` when the format has none. */
export function chooseRecordSize(nodeCount: number, dataBytes: number): RecordSize | undefined {
  const highest = nodeCount + DATA_SEPARATOR_BYTES + dataBytes;
  return ([24, 28, 32] as const).find((size) => highest < 2 ** size);
}

/**
 * The search tree's bytes, chunk by chunk. Nodes were numbered children first; the file wants the root to be node 0, so
 * they are written in reverse.
 *
 * @param placeOf where a value stands in the data section
 */
export function* encodeTree(
  nodes: NodeStore,
  placeOf: (value: number) => number,
  recordSize: RecordSize,
): Generator<Uint8Array> {
  const { count } = nodes;
  const write = NODE_WRITERS[recordSize];
  const record = (reference: number): number => {
    if (reference < DATA) return count - 1 - reference;
    return reference === EMPTY ? count : count + DATA_SEPARATOR_BYTES + placeOf(reference - DATA);
  };
  for (let done = 0; done < count; done += NODES_PER_CHUNK) {
    const size = Math.min(NODES_PER_CHUNK, count - done);
    const bytes = Buffer.allocUnsafe((size * recordSize) / 4);
    for (let i = 0; i < size; i++) {
      const node = count - 1 - done - i;
      const chunk = nodes.chunkOf(node);
      const at = nodes.offset(node);
      write(bytes, (i * recordSize) / 4, record(chunk[at]!), record(chunk[at + 1]!));
    }
    yield bytes;
  }
}
