/**
 * The nodes of a tree under construction, in the form of `node-store.ts`, and its builders for both families, as in
 * `tree-builder.ts`. Complete chunks are taken away, so that the memory has a fixed size.
 */

const CHUNK_NODES: u32 = 1 << 13;
/** Chunks that are encoded together. */
const OUTPUT_CHUNKS: u32 = 16;
const GROUP_NODES: u32 = 32;
export const EMPTY: u32 = 0xffff_ffff;
export const DATA: u32 = 0x8000_0000;
const RIGHT: u32 = 1;
const LEFT: u32 = 2;

const WORDS: usize = 1 << 16;
const KINDS: usize = WORDS + <usize>CHUNK_NODES * 8;
const INDEX: usize = KINDS + <usize>CHUNK_NODES / 4;
/** Where encoded nodes go. */
const OUTPUT: usize = INDEX + <usize>CHUNK_NODES / 8;
/** Where the rows to add are, and what follows them. */
export const TREE_END: usize = OUTPUT + <usize>(CHUNK_NODES * OUTPUT_CHUNKS) * 8;

const left4 = memory.data(32 * 4);
const left6 = memory.data(128 * 4);
const start6 = memory.data(16);
let start4: u32 = 0;
let value4: u32 = EMPTY;
let value6: u32 = EMPTY;

/** Nodes of the tree, and the nodes and words of the last chunk. */
export let count: u32 = 0;
export let next: u32 = 0;
export let used: u32 = 0;

/** The host moves the last chunk away. */
declare function completeChunk(): void;

export function wordsAt(): usize {
  return WORDS;
}

export function kindsAt(): usize {
  return KINDS;
}

export function indexAt(): usize {
  return INDEX;
}

export function outputAt(): usize {
  return OUTPUT;
}

/** @returns the new node's number */
export function addNode(left: u32, right: u32): u32 {
  if (next == CHUNK_NODES) {
    completeChunk();
    next = used = 0;
    memory.fill(KINDS, 0, CHUNK_NODES / 4);
  }
  const node = next++;
  if ((node & (GROUP_NODES - 1)) == 0) store<u32>(INDEX + ((<usize>(node >>> 5)) << 2), used);
  const before = count - 1;
  const at = WORDS + ((<usize>used) << 2);
  const kind = KINDS + ((<usize>(node >>> 4)) << 2);
  const shift = (node & 15) << 1;
  if (left == before) {
    store<u32>(at, right);
    store<u32>(kind, load<u32>(kind) | (RIGHT << shift));
    used++;
  } else if (right == before) {
    store<u32>(at, left);
    store<u32>(kind, load<u32>(kind) | (LEFT << shift));
    used++;
  } else {
    store<u32>(at, left);
    store<u32>(at, right, 4);
    used += 2;
  }
  return count++;
}

function close4(top: u32): u32 {
  let subtree = value4;
  let height: u32 = ctz(start4);
  if (height > top) height = top;
  for (; height < top; height++) {
    const goesRight = ((start4 >>> height) & 1) != 0;
    const first = goesRight ? load<u32>(left4 + ((<usize>height) << 2)) : subtree;
    const second = goesRight ? subtree : value4;
    subtree = first == second && first >= DATA ? first : addNode(first, second);
  }
  return subtree;
}

export function set4(address: u32, value: u32): void {
  if (value == value4 && value >= DATA) return;
  const difference = start4 ^ address;
  if (difference != 0) {
    const top = 31 - clz(difference);
    store<u32>(left4 + ((<usize>top) << 2), close4(top));
    for (let bits = address & ((1 << top) - 1); bits != 0; bits &= bits - 1)
      store<u32>(left4 + ((<usize>ctz(bits)) << 2), value4);
    start4 = address;
  }
  value4 = value;
}

/** The word of an address that contains the bit at a height. */
function wordOf(words: usize, height: u32): u32 {
  return load<u32>(words + ((<usize>(3 - (height >>> 5))) << 2));
}

function trailingZeros6(): u32 {
  for (let height: u32 = 0; height < 128; height += 32) {
    const bits = wordOf(start6, height);
    if (bits != 0) return height + ctz(bits);
  }
  return 128;
}

function close6(top: u32): u32 {
  let subtree = value6;
  let height = trailingZeros6();
  if (height > top) height = top;
  for (; height < top; height++) {
    const goesRight = ((wordOf(start6, height) >>> (height & 31)) & 1) != 0;
    const first = goesRight ? load<u32>(left6 + ((<usize>height) << 2)) : subtree;
    const second = goesRight ? subtree : value6;
    subtree = first == second && first >= DATA ? first : addNode(first, second);
  }
  return subtree;
}

/** The height of the highest bit in which an address differs from the open one, or -1. */
function highestDifference6(words: usize): i32 {
  for (let word: u32 = 0; word < 4; word++) {
    const bits = load<u32>(start6 + ((<usize>word) << 2)) ^ load<u32>(words + ((<usize>word) << 2));
    if (bits != 0) return 32 * (3 - word) + 31 - clz(bits);
  }
  return -1;
}

export function set6(words: usize, value: u32): void {
  if (value == value6 && value >= DATA) return;
  const difference = highestDifference6(words);
  if (difference >= 0) {
    const top = <u32>difference;
    store<u32>(left6 + ((<usize>top) << 2), close6(top));
    for (let base: u32 = 0; base <= top; base += 32) {
      let bits = wordOf(words, base);
      if (base == (top & ~31)) bits &= (1 << (top & 31)) - 1;
      for (; bits != 0; bits &= bits - 1) store<u32>(left6 + ((<usize>(base + ctz(bits))) << 2), value6);
    }
    v128.store(start6, v128.load(words));
  }
  value6 = value;
}

/** Sets the value from an address on, given as the last one of four words for IPv4. */
export function setAddress(ipv6: bool, w0: u32, w1: u32, w2: u32, w3: u32, value: u32): void {
  if (!ipv6) {
    set4(w3, value);
    return;
  }
  store<u32>(OUTPUT, w0);
  store<u32>(OUTPUT, w1, 4);
  store<u32>(OUTPUT, w2, 8);
  store<u32>(OUTPUT, w3, 12);
  set6(OUTPUT, value);
}

/** @returns the root of a family's tree */
export function finish(ipv6: bool): u32 {
  return ipv6 ? close6(128) : close4(32);
}

/** The file's reference to a node or value. Without branches, half of which would be mispredicted. */
function fileReference(reference: u32, nodes: u32, places: usize): u32 {
  const isNode = reference < DATA;
  const isEmpty = reference == EMPTY;
  const value = select<u32>(0, reference - DATA, isNode || isEmpty);
  const ifValue = select<u32>(nodes, nodes + 15 + load<u32>(places + ((<usize>value) << 2)), isEmpty);
  return select<u32>(nodes - 1 - reference, ifValue, isNode);
}

/**
 * Encodes the nodes of the chunk in memory in reverse.
 *
 * @param at where the encoded nodes go
 * @param first number of its first node
 * @param nodes of the whole tree
 * @param places of the values in the data section, plus one
 * @returns where the encoded nodes end
 */
export function encode(at: usize, size: u32, first: u32, nodes: u32, places: usize, recordSize: u32): usize {
  const step = <usize>(recordSize >>> 2);
  const end = at + <usize>size * step;
  // Nodes are stored as eight bytes, the first of which belong to the node that is stored next, or to what is before `at`.
  const before = load<u64>(at - 8);
  let word = WORDS;
  let out = end - 8;
  for (let node: u32 = 0; node < size; node++) {
    const kind = (load<u32>(KINDS + ((<usize>(node >>> 4)) << 2)) >>> ((node & 15) << 1)) & 3;
    const stored = fileReference(load<u32>(word), nodes, places);
    let other = nodes - first - node;
    word += 4;
    // Few nodes have another child than the node before.
    if (kind == 0) {
      other = fileReference(load<u32>(word), nodes, places);
      word += 4;
    }
    const left = select<u32>(other, stored, kind == RIGHT);
    const right = select<u32>(stored, other, kind == RIGHT);
    storeReversed(out, encodedNode(left, right, recordSize));
    out -= step;
  }
  store<u64>(at - 8, before);
  return end;
}

/** The bytes of a node, the last of which is the lowest. */
function encodedNode(left: u32, right: u32, recordSize: u32): u64 {
  if (recordSize == 28) return ((<u64>(left & 0xff_ffff)) << 32) | (<u64>(((left >>> 24) << 28) | right));
  return ((<u64>left) << recordSize) | (<u64>right);
}

function storeReversed(at: usize, bytes: u64): void {
  const vector = i64x2.splat(bytes);
  v128.store64_lane(at, i8x16.shuffle(vector, vector, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0), 0);
}
