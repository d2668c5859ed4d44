import { decimal128, decimal32, high, low, word } from './decimals';
import { Input, Rows, Texts } from './layout';
import { ByteTable, payloadAt } from './byte-table';
import { hash, hashBytes, hashLine, setUpHashes } from './hashes';
import { EMPTY_ROW, isDropped, NONE, PARTLY_EMPTY, setRule } from './payloads';
import { readValues } from './values';

/** Rows read ahead: what their texts are compared with is then read together. */
const BATCH: u32 = 32;
const RANGE_BYTES: u32 = 32;
const QUOTE: u32 = 34;

const starts = memory.data(32 * 4);
const texts = memory.data(32 * 4);
const ends = memory.data(32 * 4);
const hashes = memory.data(32 * 4);
const ranges = memory.data(32 * 32);

/** The texts of rows' values, each with its payload. */
const known = changetype<ByteTable>(memory.data(32));

let isIpv6: bool = false;
let separator: u32 = 0;
let end: usize = 0;
let isFinal: bool = false;
let count: u32 = 0;
let nextRow: u32 = 0;
let seen: u32 = 0;
let isNumbering: bool = false;

/** Line of the last row. */
export let line: u32 = 0;
/** True if rows must be taken before the scan can go on. */
export let needsRoom: bool = false;

/** Rows read since they were last taken, and those of them with empty cells. */
export let read: u32 = 0;
export let emptyRows: u32 = 0;
export let partlyEmptyRows: u32 = 0;

let ipv4Rows: u32 = 0;
let ipv6Rows: u32 = 0;
let ipv4Ordered: bool = true;
let ipv6Ordered: bool = true;
let ipv4Continued: u32 = 0;
let ipv6Continued: u32 = 0;

export function setUp(wide: bool, rule: u32, a: u64, b: u64, c: u64, d: u64): void {
  isIpv6 = wide;
  setRule(rule);
  setUpHashes(a, b, c, d);
  known.setUp(Texts.slotsAt, Texts.textsAt, Texts.end, Texts.maxTexts);
}

/** Numbers texts from 0 on instead of reading their values: a row's value is the number of its text. */
export function numberTexts(): void {
  isNumbering = true;
}

export function inputAt(): usize {
  return Input.at;
}

/** Announces new bytes, up to `length`; a line feed follows them. */
export function begin(length: u32, final: bool, between: u32): void {
  separator = between;
  end = Input.at + length;
  isFinal = final;
  count = 0;
  nextRow = 0;
}

/** Keeps the payload of a text that ends with its line, unless it is known or there is no room. */
export function keep(start: u32, payload: u32): void {
  const text = Input.at + start;
  const length = <u32>(hashLine(text) - text);
  if (known.find(hash, text, length) == 0) known.add(hash, text, length, payload);
}

/** Reads rows. @returns where the first line that was not added starts, or where the bytes end */
export function scan(from: u32, firstLine: u32): u32 {
  let p = Input.at + from;
  line = firstLine;
  needsRoom = false;
  if (nextRow >= count || load<u32>(starts + (nextRow << 2)) != <u32>p) nextRow = count = 0;
  while (true) {
    if (nextRow == count) {
      readAhead(p);
      if (count == 0) return <u32>(p - Input.at);
      prefetch();
    }
    for (; nextRow < count; nextRow++) {
      const at = nextRow << 2;
      const text = <usize>load<u32>(texts + at);
      const lineEnd = <usize>load<u32>(ends + at);
      const payload = payloadOf(load<u32>(hashes + at), text, lineEnd);
      p = <usize>load<u32>(starts + at);
      if (payload == NONE || !add(ranges + nextRow * RANGE_BYTES, payload)) {
        if (!needsRoom) nextRow++;
        return <u32>(p - Input.at);
      }
      p = lineEnd + 1;
    }
  }
}

/** @returns the payload of a text, or `NONE` if it is left to the host */
function payloadOf(hash: u32, text: usize, lineEnd: usize): u32 {
  const length = <u32>(lineEnd - text);
  const place = known.find(hash, text, length);
  if (place != 0) return payloadAt(place);
  const payload = isNumbering ? known.size << 2 : readValues(text, lineEnd, separator);
  if (payload == NONE) return NONE;
  const isAdded = known.add(hash, text, length, payload) != 0;
  return isAdded || !isNumbering ? payload : NONE;
}

/** @returns the payload of a text that another thread found, or `NONE` if it is left to the host */
export function payloadOfText(text: usize, length: u32): u32 {
  hashBytes(text, length);
  return payloadOf(hash, text, text + length);
}

/** Fills the batch with rows in plain form. */
function readAhead(start: usize): void {
  let p = start;
  nextRow = 0;
  for (count = 0; count < BATCH && p < end; count++) {
    const text = isIpv6 ? range6(p, ranges + count * RANGE_BYTES) : range4(p, ranges + count * RANGE_BYTES);
    if (text == 0) return;
    const lineEnd = hashLine(text);
    if (lineEnd >= end && !isFinal) return;
    const at = count << 2;
    store<u32>(starts + at, <u32>p);
    store<u32>(texts + at, <u32>text);
    store<u32>(ends + at, <u32>lineEnd);
    store<u32>(hashes + at, hash);
    p = lineEnd + 1;
  }
}

function range4(start: usize, out: usize): usize {
  let quoted = <u32>load<u8>(start) == QUOTE;
  let p = decimal32(start + <usize>quoted);
  if (p == 0) return 0;
  if (quoted && <u32>load<u8>(p++) != QUOTE) return 0;
  if (<u32>load<u8>(p++) != separator) return 0;
  const first = word;
  quoted = <u32>load<u8>(p) == QUOTE;
  p = decimal32(p + <usize>quoted);
  if (p == 0) return 0;
  if (quoted && <u32>load<u8>(p++) != QUOTE) return 0;
  store<u32>(out, first);
  store<u32>(out, word, 4);
  return first <= word ? p : 0;
}

function range6(start: usize, out: usize): usize {
  let quoted = <u32>load<u8>(start) == QUOTE;
  let p = decimal128(start + <usize>quoted, out);
  if (p == 0) return 0;
  if (quoted && <u32>load<u8>(p++) != QUOTE) return 0;
  if (<u32>load<u8>(p++) != separator) return 0;
  quoted = <u32>load<u8>(p) == QUOTE;
  p = decimal128(p + <usize>quoted, out + 16);
  if (p == 0) return 0;
  if (quoted && <u32>load<u8>(p++) != QUOTE) return 0;
  const difference = high(out) == high(out + 16) ? low(out) <= low(out + 16) : high(out) < high(out + 16);
  return difference ? p : 0;
}

/** Reads the memory in which texts will be looked up, so that its cache misses overlap. */
function prefetch(): void {
  let bits: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const place = known.placeOf(load<u32>(hashes + (i << 2)));
    bits ^= (<u32>load<u8>(place)) ^ (<u32>load<u8>(place, 64));
  }
  // Kept, so that the reads are not optimized away.
  seen = bits;
}

/** Adds a row of a text that another thread found, unless it is left out. There must be room for it. */
export function addRow(ipv6: bool, range: usize, payload: u32, rowLine: u32): void {
  const kind = payload & 3;
  line = rowLine - 1;
  if (!isDropped(kind)) {
    if (ipv6) addIpv6(range, payload >>> 2);
    else addIpv4(load<u32>(range), load<u32>(range, 4), payload >>> 2);
  }
  countKind(kind);
}

/** Adds a row to those of its family. @returns false if there is no room, or it is in a block that is treated apart */
function add(range: usize, payload: u32): bool {
  const kind = payload & 3;
  if (isDropped(kind)) {
    countKind(kind);
    return true;
  }
  if (ipv4Rows == Rows.maxRows || ipv6Rows == Rows.maxRows) {
    needsRoom = true;
    return false;
  }
  if (!isIpv6) addIpv4(load<u32>(range), load<u32>(range, 4), payload >>> 2);
  else if (isMapped(range) && isMapped(range + 16))
    addIpv4(load<u32>(range, 12), load<u32>(range, 28), payload >>> 2);
  else if (high(range) == 0 && load<u32>(range, 8) <= 0xffff) return false;
  else addIpv6(range, payload >>> 2);
  countKind(kind);
  return true;
}

function isMapped(words: usize): bool {
  return high(words) == 0 && load<u32>(words, 8) == 0xffff;
}

function countKind(kind: u32): void {
  line++;
  read++;
  if (kind == EMPTY_ROW) emptyRows++;
  else if (kind == PARTLY_EMPTY) partlyEmptyRows++;
}

function addIpv4(first: u32, last: u32, value: u32): void {
  const at = Rows.ipv4At + ((<usize>ipv4Rows) << 4);
  if (ipv4Rows++ > 0) {
    const before = load<u32>(at - 12);
    if (first <= before) ipv4Ordered = false;
    else if (first == before + 1 && load<u32>(at - 8) == value) ipv4Continued++;
  }
  store<u32>(at, first);
  store<u32>(at, last, 4);
  store<u32>(at, value, 8);
  store<u32>(at, line + 1, 12);
}

function addIpv6(range: usize, value: u32): void {
  const at = Rows.ipv6At + <usize>ipv6Rows * 40;
  if (ipv6Rows++ > 0) {
    const upper = high(at - 24);
    const lower = low(at - 24);
    if (high(range) < upper || (high(range) == upper && low(range) <= lower)) ipv6Ordered = false;
    else if (low(range) == lower + 1 && high(range) == upper + <u64>(lower == u64.MAX_VALUE))
      ipv6Continued += <u32>(load<u32>(at - 8) == value);
  }
  v128.store(at, v128.load(range));
  v128.store(at, v128.load(range, 16), 16);
  store<u32>(at, value, 32);
  store<u32>(at, line + 1, 36);
}

/** Where texts are, which the host may overwrite after the last row. */
export function textsAt(): usize {
  return Texts.textsAt;
}

export function textsEnd(): usize {
  return known.used;
}

export function rowsAt(ipv6: bool): usize {
  return ipv6 ? Rows.ipv6At : Rows.ipv4At;
}

export function rowsCount(ipv6: bool): u32 {
  return ipv6 ? ipv6Rows : ipv4Rows;
}

/** True if the rows are ascending and disjoint. */
export function rowsOrdered(ipv6: bool): bool {
  return ipv6 ? ipv6Ordered : ipv4Ordered;
}

/** Rows that continue the one before with the same value. */
export function rowsContinued(ipv6: bool): u32 {
  return ipv6 ? ipv6Continued : ipv4Continued;
}

/** Makes room for rows after those so far were taken. */
export function takenRows(): void {
  read = emptyRows = partlyEmptyRows = 0;
  ipv4Rows = ipv6Rows = 0;
  ipv4Continued = ipv6Continued = 0;
  ipv4Ordered = ipv6Ordered = true;
}
