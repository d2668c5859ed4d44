import { compareWords, highestDifference, nextAddress, trailingZeros } from '../address/address-words.js';
import { GapFiller, type Island } from './gap-filler.js';
import type { LookupTree } from './lookup-tree.js';
import { DATA } from './node-store.js';
import type { AddressTree } from './tree-builder.js';

/** Height of an IPv4 address's lowest bit within a 6to4 address (RFC 3056): 2002:V4ADDR::/48. */
const SIX_TO_FOUR_SHIFT = 80;

const FULL = 0xffff_ffff;

/**
 * Creates the filler of an IPv6 tree that finds IPv4 addresses in every form readers use: the IPv4 tree is linked at
 * ::/96, at ::ffff:0:0/96 (IPv4-mapped, RFC 4291) and, except where the input has rows, at 2002::/16 (6to4). Teredo
 * addresses contain inverted IPv4 addresses, which a tree cannot map.
 *
 * @param ipv4Root the finished IPv4 tree; added rows must not overlap the first two of these blocks
 */
export function ipv6Filler(nodes: LookupTree, ipv4Root: number): GapFiller {
  const tree = nodes.builder(4);
  const whole = (from: Uint32Array): void => tree.set(from, 0, ipv4Root);
  const islands: Island[] = [
    { first: address(0, 0, 0, 0), last: address(0, 0, 0, FULL), fill: whole },
    { first: address(0, 0, 0xffff, 0), last: address(0, 0, 0xffff, FULL), fill: whole },
    {
      first: address(0x2002_0000, 0, 0, 0),
      last: address(0x2002_ffff, FULL, FULL, FULL),
      fill: (from, to) => fillSixToFour(tree, nodes, ipv4Root, from, to),
    },
  ];
  return new GapFiller(tree, 4, islands);
}

/** Links each aligned block of the range to the corresponding part of the IPv4 tree. */
function fillSixToFour(
  tree: AddressTree,
  nodes: LookupTree,
  ipv4Root: number,
  from: Uint32Array,
  to: Uint32Array,
): void {
  const block = from.slice();
  const blockEnd = new Uint32Array(4);
  do {
    const height = blockHeight(block, to, blockEnd);
    tree.set(block, 0, descend(nodes, ipv4Root, block, Math.max(height, SIX_TO_FOUR_SHIFT)));
  } while (compareWords(blockEnd, 0, to, 0, 4) < 0 && nextAddress(blockEnd, 0, block, 0, 4));
}

/** The height of the largest aligned block that starts at `block` and ends by `to`; leaves its end in `blockEnd`. */
function blockHeight(block: Uint32Array, to: Uint32Array, blockEnd: Uint32Array): number {
  let height = Math.min(trailingZeros(block, 0, 4), highestDifference(block, 0, to, 0, 4) + 1);
  for (; ; height--) {
    for (let word = 0; word < 4; word++) {
      const low = Math.min(32, Math.max(0, height - 32 * (3 - word)));
      blockEnd[word] = low === 32 ? FULL : block[word]! | ~(-1 << low);
    }
    if (compareWords(blockEnd, 0, to, 0, 4) <= 0) return height;
  }
}

/** Follows the IPv4 address within a 6to4 address down to `height`. */
function descend(nodes: LookupTree, root: number, words: Uint32Array, height: number): number {
  let reference = root;
  for (let bit = 111; bit >= height && reference < DATA; bit--) {
    reference = nodes.child(reference, (words[3 - (bit >>> 5)]! >>> (bit & 31)) & 1);
  }
  return reference;
}

function address(...words: [number, number, number, number]): Uint32Array {
  return Uint32Array.from(words);
}
