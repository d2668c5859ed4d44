import { high, low } from './decimals';
import { DATA, EMPTY, set4, set6, TREE_END } from './tree';

/** Adds rows to a tree and leaves the gaps between them empty, as in `gap-filler.ts`. */

const MAX_ROWS: usize = 1 << 14;
const ROWS: usize = TREE_END;
const FRESH: usize = ROWS + MAX_ROWS * 40;
/** A byte for each record. */
const SEEN: usize = FRESH + MAX_ROWS * 4;

const position = memory.data(16);
const limit = memory.data(16);

/** True if the last address is set. */
export let isDone: bool = false;
/** Records that a row used for the first time, in this order. */
export let freshCount: u32 = 0;

/** Where the rows to add are. */
export function inputRowsAt(): usize {
  return ROWS;
}

export function freshAt(): usize {
  return FRESH;
}

/** Place of the first address that is not set yet: four words, of which IPv4 has the first. */
export function positionAt(): usize {
  return position;
}

/** Place of the first address that has a value even if no row covers it. */
export function limitAt(): usize {
  return limit;
}

/**
 * Adds ordered rows, from one of them on, above all previous ones.
 *
 * @param firstKey number of the first row's value, if each has its own, otherwise -1
 * @returns the number of the first row not added, which follows a gap that is not empty, or their count
 */
export function addRows(ipv6: bool, from: u32, count: u32, firstKey: i32, done: bool): u32 {
  freshCount = 0;
  isDone = done;
  return ipv6 ? addRows6(from, count, firstKey) : addRows4(from, count, firstKey);
}

function addRows4(from: u32, count: u32, firstKey: i32): u32 {
  let at = load<u32>(position);
  const end = load<u32>(limit);
  for (let i = from; i < count; i++) {
    const row = ROWS + ((<usize>i) << 4);
    const first = load<u32>(row);
    if (first != at) {
      if (first > end) {
        store<u32>(position, at);
        return i;
      }
      set4(at, EMPTY);
    }
    set4(first, DATA | keyOf(load<u32>(row, 8), firstKey, i));
    at = load<u32>(row, 4) + 1;
  }
  isDone = at == 0;
  store<u32>(position, at);
  return count;
}

function addRows6(from: u32, count: u32, firstKey: i32): u32 {
  const upper = high(limit);
  const lower = low(limit);
  for (let i = from; i < count; i++) {
    const row = ROWS + <usize>i * 40;
    if (high(row) != high(position) || low(row) != low(position)) {
      if (high(row) > upper || (high(row) == upper && low(row) > lower)) return i;
      set6(position, EMPTY);
    }
    set6(row, DATA | keyOf(load<u32>(row, 32), firstKey, i));
    isDone = setAfter(row + 16);
  }
  return count;
}

/** Sets the position to the address after this one. @returns true if there is none */
function setAfter(last: usize): bool {
  v128.store(position, v128.load(last));
  for (let word: usize = 16; word > 0;) {
    word -= 4;
    const next = load<u32>(last + word) + 1;
    store<u32>(position + word, next);
    if (next != 0) return false;
  }
  return true;
}

function keyOf(record: u32, firstKey: i32, row: u32): u32 {
  if (firstKey >= 0) return <u32>firstKey + row;
  if (load<u8>(SEEN + record) == 0) {
    store<u8>(SEEN + record, 1);
    store<u32>(FRESH + ((<usize>freshCount) << 2), record);
    freshCount++;
  }
  return record;
}

/** Where the bytes that mark used records are: the end of what has a fixed size. */
export function seenAt(): usize {
  return SEEN;
}
