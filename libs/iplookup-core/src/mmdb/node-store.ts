import { mappedWords } from '../rows/mapped-words.js';

const CHUNK_BITS = 17;
const CHUNK_NODES = 1 << CHUNK_BITS;

/** The number of nodes per index entry, as a power of two. */
const GROUP_BITS = 5;
const GROUP_NODES = 1 << GROUP_BITS;

/** The reference of an empty record; others are values (`DATA` plus a number) or nodes. */
export const EMPTY = 0xffff_ffff;

/** References from this value on are not nodes. */
export const DATA = 0x8000_0000;

/** What is stored of a node. */
const BOTH = 0;
/** The left child is the node before. */
const RIGHT = 1;
/** The right child is the node before. */
const LEFT = 2;

/** Some nodes with the children that are stored of each. */
export interface Chunk {
  readonly words: Uint32Array;
  /** Two bits for each node: `BOTH`, `RIGHT` or `LEFT`. */
  readonly kinds: Uint32Array;
  /** Where the words of each group of nodes start. */
  readonly index: Uint32Array;
}

/**
 * The nodes of a tree under construction, stored in chunks to avoid copying when it grows. Trees are built bottom-up, so
 * one child of most nodes is the node before: it is not stored, which saves two fifths of the memory.
 */
export class NodeStore {
  count = 0;
  private readonly chunks: Chunk[] = [];
  /** The last chunk, whose words are moved when it is complete. */
  private current: Chunk = newChunk(new Uint32Array(2 * CHUNK_NODES));
  /** Number of its nodes and words. */
  private next = 0;
  private used = 0;

  /** @returns the new node's number */
  add(left: number, right: number): number {
    if (this.next === CHUNK_NODES) this.completeChunk();
    const { words, kinds, index } = this.current;
    const node = this.next++;
    if ((node & (GROUP_NODES - 1)) === 0) index[node >>> GROUP_BITS] = this.used;
    const before = this.count - 1;
    if (left === before) {
      words[this.used++] = right;
      kinds[node >>> 4]! |= RIGHT << ((node & 15) << 1);
    } else {
      words[this.used++] = left;
      if (right === before) kinds[node >>> 4]! |= LEFT << ((node & 15) << 1);
      else words[this.used++] = right;
    }
    return this.count++;
  }

  /** The left (0) or right (1) reference of a node. */
  child(node: number, bit: number): number {
    return childOf(this.chunkOf(node), node, node & (CHUNK_NODES - 1), bit);
  }

  /** Writes both references of `count` nodes from `first` on. */
  copy(first: number, count: number, target: Uint32Array): void {
    let chunk = this.chunkOf(first);
    let at = placeOf(chunk, first & (CHUNK_NODES - 1));
    for (let node = first, to = 0; to < 2 * count; node++, to += 2) {
      const local = node & (CHUNK_NODES - 1);
      if (local === 0) {
        chunk = this.chunkOf(node);
        at = 0;
      }
      const kind = kindOf(chunk, local);
      const word = chunk.words[at++]!;
      target[to] = kind === RIGHT ? node - 1 : word;
      target[to + 1] = kind === RIGHT ? word : kind === LEFT ? node - 1 : chunk.words[at++]!;
    }
  }

  private chunkOf(node: number): Chunk {
    return this.chunks[node >>> CHUNK_BITS] ?? this.current;
  }

  private completeChunk(): void {
    checkNodeCount(this.count);
    const { words } = this.current;
    const kept = mappedWords(this.used);
    kept.set(words.subarray(0, this.used));
    this.chunks.push({ ...this.current, words: kept });
    this.current = newChunk(words);
    this.next = 0;
    this.used = 0;
  }
}

/** @throws {RangeError} if no further chunk can be numbered */
export function checkNodeCount(count: number): void {
  if (count + CHUNK_NODES > DATA) throw new RangeError('the search tree needs more than 2^31 nodes');
}

function newChunk(words: Uint32Array): Chunk {
  return {
    words,
    kinds: new Uint32Array(CHUNK_NODES >>> 4),
    index: new Uint32Array(CHUNK_NODES >>> GROUP_BITS),
  };
}

/**
 * The left (0) or right (1) reference of a node in a chunk.
 *
 * @param local its number there
 */
export function childOf(chunk: Chunk, node: number, local: number, bit: number): number {
  const at = placeOf(chunk, local);
  const kind = kindOf(chunk, local);
  if (kind === BOTH) return chunk.words[at + bit]!;
  // Of the first node, the child before is `EMPTY`, which has the bits of -1.
  return (kind === RIGHT) === (bit === 1) ? chunk.words[at]! : (node - 1) >>> 0;
}

function kindOf({ kinds }: Chunk, local: number): number {
  return (kinds[local >>> 4]! >>> ((local & 15) << 1)) & 3;
}

/** Where the words of a node start in its chunk. */
function placeOf(chunk: Chunk, local: number): number {
  let at = chunk.index[local >>> GROUP_BITS]!;
  for (let node = local & ~(GROUP_NODES - 1); node < local; node++)
    at += kindOf(chunk, node) === BOTH ? 2 : 1;
  return at;
}
