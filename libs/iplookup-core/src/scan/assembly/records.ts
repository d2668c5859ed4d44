/** Encodes records that contain the IPv4 addresses of their row, from templates: see `engine-row-records.ts`. */

const MAX_ROWS: usize = 1 << 14;
const ROW_BYTES: usize = 16;
/** The rows of an array. */
const ROWS: usize = 1 << 16;
/** The keys of both addresses, encoded, in eight bytes each. */
const FIRST_KEY: usize = ROWS + MAX_ROWS * ROW_BYTES;
const LAST_KEY: usize = FIRST_KEY + 8;
/** Where encoded records go. */
const OUTPUT: usize = LAST_KEY + 8;

const MAP: u32 = 7 << 5;
const STRING: u32 = 2 << 5;
const ZERO: u32 = 48;
const DOT: u32 = 46;
const TEMPLATE_BYTES: usize = 12;

/** The digits of each octet with a dot, and their number of bytes. */
const octets = memory.data(256 * 4);
const octetBytes = memory.data(256);

let templates: usize = 0;
let cells: usize = 0;
let firstKeyBytes: usize = 0;
let lastKeyBytes: usize = 0;

/** Where the records that were encoded last end. */
export let recordsEnd: usize = 0;

export function recordRowsAt(): usize {
  return ROWS;
}

export function firstKeyAt(): usize {
  return FIRST_KEY;
}

export function lastKeyAt(): usize {
  return LAST_KEY;
}

export function recordsAt(): usize {
  return OUTPUT;
}

/**
 * To be called before any records are encoded.
 *
 * @param templatesAt for each record: where its encoded cells start, their length, and the number of its columns plus one
 * @param cellsAt the cells of all templates; up to 15 bytes behind them are read
 */
export function setUpRecords(templatesAt: usize, cellsAt: usize, firstBytes: usize, lastBytes: usize): void {
  templates = templatesAt;
  cells = cellsAt;
  firstKeyBytes = firstBytes;
  lastKeyBytes = lastBytes;
  for (let octet: u32 = 0; octet < 256; octet++) {
    let text = (ZERO + (octet % 10)) | (DOT << 8);
    let bytes: u8 = 2;
    for (let rest = octet / 10; rest > 0; rest /= 10) {
      text = (text << 8) | (ZERO + (rest % 10));
      bytes++;
    }
    store<u32>(octets + ((<usize>octet) << 2), text);
    store<u8>(octetBytes + <usize>octet, bytes);
  }
}

/**
 * Encodes the records of consecutive rows.
 *
 * @param from number of the first row in the array
 * @param at where the records go
 * @param stop no record is begun from there on
 * @returns the number of rows whose records were encoded
 */
export function encodeRecords(from: u32, count: u32, at: usize, stop: usize): u32 {
  let row = ROWS + <usize>from * ROW_BYTES;
  let done: u32 = 0;
  for (; done < count && at < stop; done++) {
    const template = templates + <usize>load<u32>(row, 8) * TEMPLATE_BYTES;
    at = map(at, load<u32>(template, 8) + 1);
    store<u64>(at, load<u64>(FIRST_KEY));
    at = address(at + firstKeyBytes, load<u32>(row));
    store<u64>(at, load<u64>(LAST_KEY));
    at = address(at + lastKeyBytes, load<u32>(row, 4));
    const start = cells + <usize>load<u32>(template);
    const bytes = <usize>load<u32>(template, 4);
    for (let byte: usize = 0; byte < bytes; byte += 16) v128.store(at + byte, v128.load(start + byte));
    at += bytes;
    row += ROW_BYTES;
  }
  recordsEnd = at;
  return done;
}

/** Writes the control bytes of a map. */
function map(at: usize, size: u32): usize {
  if (size < 29) return control(at, size, 0, 1);
  if (size < 285) return control(at, 29, (size - 29) << 16, 2);
  if (size < 65_821) return control(at, 30, (size - 285) << 8, 3);
  return control(at, 31, size - 65_821, 4);
}

function control(at: usize, short: u32, rest: u32, bytes: usize): usize {
  store<u32>(at, bswap<u32>(((MAP | short) << 24) | rest));
  return at + bytes;
}

/** Writes an IPv4 address as a string. */
function address(at: usize, word: u32): usize {
  let end = at + 1;
  for (let shift = 24; shift >= 0; shift -= 8) {
    const octet = <usize>((word >>> shift) & 255);
    store<u32>(end, load<u32>(octets + (octet << 2)));
    end += <usize>load<u8>(octetBytes + octet);
  }
  // Without the last dot.
  end--;
  store<u8>(at, <u8>(STRING | (<u32>(end - at - 1))));
  return end;
}
