import { ByteTable, payloadAt } from './byte-table';
import { decimal, endOf, isEmpty, isZero, plainDecimal, split, startOf } from './cells';
import { hash, hashBytes } from './hashes';
import { Values } from './layout';
import { EMPTY_ROW, isDropped, NONE, PARTLY_EMPTY } from './payloads';

/** Reads the values of texts that are new, as in `row-values.ts`, with the tables of `record-pool.ts`. */

/** Kinds of columns; `ZERO` is added if zero stands for no value. */
const TEXT: u32 = 1;
const ZERO: u32 = 4;

/** Longer ones are left to the host. */
const MAX_TEXT: usize = 1 << 16;

const FULL: i32 = -1;

const values = changetype<ByteTable>(memory.data(32));
const records = changetype<ByteTable>(memory.data(32));

/** A byte for each column. */
const kinds = memory.data(64);
/** Where each column's encoded value is, its length, or 0 if it is empty, and its hash. */
const encodedAt = memory.data(64 * 4);
const lengths = memory.data(64 * 4);
const hashes = memory.data(64 * 4);
/** A record's value numbers, most significant byte first. */
const cells = memory.data(64 * 4);

let columns: u32 = 0;
let cellCount: u32 = 0;
let stored: u32 = 0;
let empty: u32 = 0;
let dashIsEmpty: bool = false;
let isReading: bool = false;

export function kindsOfColumnsAt(): usize {
  return kinds;
}

export function cellsAt(): usize {
  return cells;
}

/** Where the host puts the bytes of an entry. */
export function entryAt(): usize {
  return Values.entryAt;
}

/**
 * Announces the columns; their kinds, and cells that are the same in all records, are in their places.
 *
 * @param all cells of a record
 * @param emptyValue number of the value of an empty cell
 */
export function setUpValues(count: u32, all: u32, emptyValue: u32, dash: bool): void {
  values.setUp(Values.slotsAt, Values.valuesAt, Values.valuesEnd, Values.maxEntries);
  records.setUp(Values.recordSlotsAt, Values.recordsAt, Values.end, Values.maxEntries);
  columns = count;
  cellCount = all;
  empty = emptyValue;
  dashIsEmpty = dash;
  stored = 0;
  for (let column: u32 = 0; column < count; column++)
    stored += <u32>((load<u8>(kinds + column) & ~ZERO) != 0);
}

/** Begins or ends to read values here. */
export function setReading(on: bool): void {
  isReading = on;
}

function tableOf(isRecords: bool): ByteTable {
  return isRecords ? records : values;
}

export function entryCount(isRecords: bool): u32 {
  return tableOf(isRecords).size;
}

/** Where the places of a table's entries are. */
export function placesAt(isRecords: bool): usize {
  return isRecords ? Values.recordPlacesAt : Values.placesAt;
}

/** @returns the number of an entry, which is added if it is new, or -1 if there is no room for it */
export function intern(isRecords: bool, bytes: usize, length: u32): i32 {
  hashBytes(bytes, length);
  return internHashed(isRecords, hash, bytes, length);
}

function internHashed(isRecords: bool, hash: u32, bytes: usize, length: u32): i32 {
  const table = tableOf(isRecords);
  const known = table.find(hash, bytes, length);
  if (known != 0) return <i32>payloadAt(known);
  const entry = table.size;
  const place = table.add(hash, bytes, length, entry);
  if (place == 0) return FULL;
  store<u32>(placesAt(isRecords) + ((<usize>entry) << 2), <u32>place);
  return <i32>entry;
}

/** @returns the payload of a text's values, or `NONE` if it is left to the host */
export function readValues(text: usize, lineEnd: usize, separator: u32): u32 {
  if (!isReading || lineEnd - text > MAX_TEXT || !split(text, lineEnd, separator, columns)) return NONE;
  const kind = kindOfRow();
  if (isDropped(kind)) return kind;
  if (!encodeCells()) return NONE;
  prefetch();
  for (let column: u32 = 0; column < columns; column++) {
    if (((<u32>load<u8>(kinds + column)) & ~ZERO) == 0) continue;
    const at = (<usize>column) << 2;
    const length = load<u32>(lengths + at);
    let value = empty;
    if (length != 0) {
      const entry = internHashed(false, load<u32>(hashes + at), load<u32>(encodedAt + at), length);
      if (entry < 0) return NONE;
      value = <u32>entry + 1;
    }
    store<u32>(cells + at, bswap<u32>(value));
  }
  const record = intern(true, cells, cellCount << 2);
  return record < 0 ? NONE : ((<u32>record) << 2) | kind;
}

function kindOfRow(): u32 {
  let empties: u32 = 0;
  let zeros: u32 = 0;
  let others: u32 = 0;
  let otherZeros: u32 = 0;
  for (let column: u32 = 0; column < columns; column++) {
    const kind = <u32>load<u8>(kinds + column);
    const isStored = <u32>((kind & ~ZERO) != 0);
    if (isEmpty(column, dashIsEmpty)) {
      empties += isStored;
      others += isStored ^ 1;
    } else if ((kind & ZERO) != 0 && isZero(column)) {
      zeros += isStored;
      otherZeros += isStored ^ 1;
    }
  }
  // Of a row of zeros, what is not stored shows whether they stand for unknown values.
  const isUnknown = zeros != 0 && others != 0 && stored + others + otherZeros == columns;
  if (empties + zeros == stored && (empties != 0 || isUnknown)) return EMPTY_ROW;
  return empties == 0 ? 0 : PARTLY_EMPTY;
}

/** Encodes the cells of a row, see `byte-writer.ts`. @returns false if some are left to the host */
function encodeCells(): bool {
  let at = Values.entryAt;
  for (let column: u32 = 0; column < columns; column++) {
    const type = (<u32>load<u8>(kinds + column)) & ~ZERO;
    if (type == 0) continue;
    const slot = (<usize>column) << 2;
    store<u32>(lengths + slot, 0);
    if (isEmpty(column, dashIsEmpty)) continue;
    const end = type == TEXT ? encodeText(column, at) : encodeNumber(column, at);
    if (end == 0) return false;
    store<u32>(encodedAt + slot, <u32>at);
    store<u32>(lengths + slot, <u32>(end - at));
    hashBytes(at, <u32>(end - at));
    store<u32>(hashes + slot, hash);
    at = end;
  }
  return true;
}

let seen: u32 = 0;

/** Reads the memory in which values will be looked up, so that its cache misses overlap. */
function prefetch(): void {
  let bits: u32 = 0;
  for (let column: u32 = 0; column < columns; column++) {
    const place = values.placeOf(load<u32>(hashes + ((<usize>column) << 2)));
    bits ^= load<u8>(place);
  }
  // Kept, so that the reads are not optimized away.
  seen = bits;
}

/** @returns where it ends */
function encodeText(cell: u32, start: usize): usize {
  const text = startOf(cell);
  const length = <u32>(endOf(cell) - text);
  let at = start;
  if (length < 29) store<u8>(at++, 0x40 | length);
  else if (length < 285) {
    store<u8>(at++, 0x5d);
    store<u8>(at++, length - 29);
  } else {
    store<u8>(at++, 0x5e);
    store<u16>(at, bswap<u16>(<u16>(length - 285)));
    at += 2;
  }
  for (let i: u32 = 0; i < length; i += 16) v128.store(at + i, v128.load(text + i));
  return at + length;
}

/** @returns where it ends, or 0 if the cell is left to the host */
function encodeNumber(cell: u32, at: usize): usize {
  if (!plainDecimal(cell)) return 0;
  store<u8>(at, 0x68);
  store<u64>(at, bswap<u64>(reinterpret<u64>(decimal)), 1);
  return at + 9;
}
