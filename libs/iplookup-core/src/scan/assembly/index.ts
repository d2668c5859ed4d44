/**
 * Scans rows of CSV in plain form: two addresses, then values whose text is numbered. AssemblyScript, compiled to
 * WebAssembly with SIMD; the memory is the caller's, who also says what is where.
 */
import { readAddress } from './addresses';
import { hash, hashLine, setKeys } from './line-hash';
import { add, find, likelyPlace, NONE, prefetch, setTable } from './text-table';
import { isWellFormed } from './well-formed';

export { setKeys, setTable };

/** Rows read ahead, so that the cache misses of their look-ups overlap. */
const BATCH: usize = 32;

/** Bytes per row read ahead: start, start of the text, its end, its hash and its likely place; then both addresses. */
const AHEAD_BYTES: usize = 5 * 4 + 8 * 4;
const TEXT: usize = 4;
const LINE_END: usize = 8;
const HASH: usize = 12;
const PLACE: usize = 16;
const RANGE: usize = 20;

let format: u32 = 0;
/** Words per address. */
let width: usize = 0;
let separator: u8 = 0;
/** Memory for a batch. */
let ahead: usize = 0;
/** Number of rows scanned last. */
let count: u32 = 0;

/** @param batch 2 KiB of memory */
export function configure(addressFormat: u32, addressWidth: u32, fieldSeparator: u32, batch: usize): void {
  format = addressFormat;
  width = addressWidth;
  separator = <u8>fieldSeparator;
  ahead = batch;
}

export function scannedRows(): u32 {
  return count;
}

/**
 * Scans rows until one is not in plain form, does not end or does not start before `stop`, or there is no room for more.
 * Writes each row's first and last address, its text's number and its offset from `start`.
 *
 * @param end where the input ends; 64 bytes after it must be readable
 * @returns where the next row starts
 */
export function scan(start: usize, stop: usize, end: usize, out: usize, outEnd: usize): usize {
  const rowBytes: usize = 8 * width + 8;
  let p = start;
  count = 0;
  while (p < stop && out + BATCH * rowBytes <= outEnd) {
    const rows = readAhead(p, stop, end);
    for (let row: usize = 0; row < rows; row++) prefetch(load<u32>(ahead + row * AHEAD_BYTES, PLACE));
    for (let row: usize = 0; row < rows; row++, out += rowBytes) {
      const at = ahead + row * AHEAD_BYTES;
      const text = textNumber(at);
      if (text == NONE) return load<u32>(at);
      memory.copy(out, at + RANGE, 8 * width);
      store<u32>(out + 8 * width, text);
      store<u32>(out + 8 * width, load<u32>(at) - <u32>start, 4);
      count++;
      p = load<u32>(at, LINE_END) + 1;
    }
    if (rows < BATCH) return p;
  }
  return p;
}

/** Reads the addresses of up to 32 rows and hashes their texts. @returns their number */
function readAhead(p: usize, stop: usize, end: usize): usize {
  for (let row: usize = 0; row < BATCH; row++) {
    if (p >= stop) return row;
    const at = ahead + row * AHEAD_BYTES;
    const between = readAddress(format, p, at + RANGE);
    if (between == 0 || load<u8>(between) != separator) return row;
    const text = readAddress(format, between + 1, at + RANGE + 4 * width);
    if (text == 0 || isReversed(at + RANGE)) return row;
    const lineEnd = hashLine(text);
    if (lineEnd == 0 || lineEnd >= end) return row;
    store<u32>(at, <u32>p);
    store<u32>(at, <u32>text, TEXT);
    store<u32>(at, <u32>lineEnd, LINE_END);
    store<u32>(at, hash, HASH);
    store<u32>(at, <u32>likelyPlace(hash), PLACE);
    p = lineEnd + 1;
  }
  return BATCH;
}

/** True if a range's last address is below its first one. */
function isReversed(range: usize): bool {
  for (let word = range, wordsEnd = range + 4 * width; word < wordsEnd; word += 4) {
    const first = load<u32>(word);
    const last = load<u32>(word + 4 * width);
    if (first != last) return first > last;
  }
  return false;
}

/** The number of the text of a row read ahead, or `NONE` if it has a quote that does not close or there is no room. */
function textNumber(at: usize): u32 {
  const text: usize = load<u32>(at, TEXT);
  const lineEnd: usize = load<u32>(at, LINE_END);
  const known = find(load<u32>(at, HASH), text, <u32>(lineEnd - text));
  if (known != NONE) return known;
  if (!isWellFormed(text, lineEnd, separator)) return NONE;
  return add(load<u32>(at, HASH), text, <u32>(lineEnd - text));
}
