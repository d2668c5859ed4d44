/** The cells of a row's values. */

const QUOTE: u32 = 34;
const CR: u32 = 13;
const MINUS: u32 = 45;
const POINT: u32 = 46;
const ZERO: u32 = 48;

const starts = memory.data(64 * 4);
const ends = memory.data(64 * 4);

export function startOf(cell: u32): usize {
  return load<u32>(starts + ((<usize>cell) << 2));
}

export function endOf(cell: u32): usize {
  return load<u32>(ends + ((<usize>cell) << 2));
}

/**
 * Finds the cells of a text, each after a separator.
 *
 * @returns false if there are not as many, or some are not ASCII or contain quotes or line breaks
 */
export function split(text: usize, lineEnd: usize, separator: u32, count: u32): bool {
  const end = lineEnd - <usize>(lineEnd > text && <u32>load<u8>(lineEnd - 1) == CR);
  let bytes: u32 = 0;
  let cell: u32 = 0;
  for (let p = text; p < end; cell++) {
    if (<u32>load<u8>(p++) != separator || cell == count) return false;
    const isQuoted = p < end && <u32>load<u8>(p) == QUOTE;
    const stop = isQuoted ? QUOTE : separator;
    p += <usize>isQuoted;
    store<u32>(starts + ((<usize>cell) << 2), <u32>p);
    for (let byte: u32; p < end && (byte = <u32>load<u8>(p)) != stop; p++) bytes |= byte;
    store<u32>(ends + ((<usize>cell) << 2), <u32>p);
    if (isQuoted && p++ == end) return false;
  }
  return cell == count && bytes < 128;
}

/** True if a cell has no text, or is a dash that stands for none. */
export function isEmpty(cell: u32, dashIsEmpty: bool): bool {
  const start = startOf(cell);
  const length = endOf(cell) - start;
  return length == 0 || (dashIsEmpty && length == 1 && <u32>load<u8>(start) == MINUS);
}

/** True if a cell is zero as a decimal number. */
export function isZero(cell: u32): bool {
  const end = endOf(cell);
  let p = startOf(cell);
  if (p < end && <u32>load<u8>(p) == MINUS) p++;
  const digits = p;
  while (p < end && <u32>load<u8>(p) == ZERO) p++;
  if (p == digits) return false;
  if (p < end && <u32>load<u8>(p) == POINT) p++;
  while (p < end && <u32>load<u8>(p) == ZERO) p++;
  return p == end;
}

/** Digits of a number that is exact as a double. */
const EXACT_DIGITS: usize = 15;

const powers = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]);

/** The number that {@link plainDecimal} read. */
export let decimal: f64 = 0;

/** Reads a number in the form that `parsePlainDecimal` reads. @returns false if a cell has another form */
export function plainDecimal(cell: u32): bool {
  const end = endOf(cell);
  const isNegative = startOf(cell) < end && <u32>load<u8>(startOf(cell)) == MINUS;
  const first = startOf(cell) + <usize>isNegative;
  if (end - first > EXACT_DIGITS + 1) return false;
  let digits: u64 = 0;
  let point: usize = 0;
  for (let p = first; p < end; p++) {
    const byte = <u32>load<u8>(p);
    if (byte - ZERO <= 9) digits = digits * 10 + (byte - ZERO);
    else if (byte == POINT && point == 0 && p > first && p + 1 < end) point = p;
    else return false;
  }
  if (point == 0) return false;
  const number = <f64>digits / load<f64>(powers + ((end - point - 1) << 3));
  decimal = isNegative && digits != 0 ? -number : number;
  return true;
}
