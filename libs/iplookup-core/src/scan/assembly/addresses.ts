/**
 * Parsers of addresses. Each writes the address as 32-bit words, most significant first, and returns where it ends; 0 if
 * it is not in plain form, which does not make it invalid: such rows are read again by the parsers in JavaScript.
 */

/** Formats, by the numbers that `configure` gets. */
const IPV4_INTEGER: u32 = 0;
const IPV6_INTEGER: u32 = 1;

const QUOTE: u8 = 34;
const ZERO: u32 = 48;
const DOT: u8 = 46;

/** Digits parsed in one step, and the factor by which they move the digits before them. */
const STEP: usize = 8;
const STEP_FACTOR: u64 = 100_000_000;

/** Reads an address, which may be quoted. */
export function readAddress(format: u32, p: usize, out: usize): usize {
  if (load<u8>(p) != QUOTE) return parse(format, p, out);
  const end = parse(format, p + 1, out);
  return end != 0 && load<u8>(end) == QUOTE ? end + 1 : 0;
}

function parse(format: u32, p: usize, out: usize): usize {
  if (format == IPV4_INTEGER) return parseInteger32(p, out);
  return format == IPV6_INTEGER ? parseInteger128(p, out) : parseIpv4Text(p, out);
}

function digitAt(p: usize): u32 {
  return <u32>load<u8>(p) - ZERO;
}

/** The value of eight digits, or -1 if there are fewer: three multiplications, each joining neighbours. */
function eightDigits(p: usize): i64 {
  const digits = load<u64>(p) ^ 0x3030_3030_3030_3030;
  if (((digits + 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080) return -1;
  const pairs = digits * 10 + (digits >> 8);
  const low = (pairs & 0x0000_00ff_0000_00ff) * 0x000f_4240_0000_0064;
  const high = ((pairs >> 16) & 0x0000_00ff_0000_00ff) * 0x0000_2710_0000_0001;
  return <i64>((low + high) >> 32);
}

/** Unsigned decimal of at most 32 bits, with at most ten digits. */
function parseInteger32(start: usize, out: usize): usize {
  const head = eightDigits(start);
  let value: u64 = head < 0 ? 0 : <u64>head;
  let p = head < 0 ? start : start + STEP;
  for (let digit: u32; (digit = digitAt(p)) <= 9; p++) {
    if (p - start == 10) return 0;
    value = value * 10 + digit;
  }
  if (p == start || value >> 32 != 0) return 0;
  store<u32>(out, <u32>value);
  return p;
}

/** Unsigned decimal of at most 128 bits. */
function parseInteger128(start: usize, out: usize): usize {
  let p = start;
  store<u64>(out, 0);
  store<u64>(out, 0, 8);
  for (let group: i64; (group = eightDigits(p)) >= 0; p += STEP) {
    if (!append(out, STEP_FACTOR, <u64>group)) return 0;
  }
  let factor: u64 = 1;
  let group: u64 = 0;
  for (let digit: u32; (digit = digitAt(p)) <= 9; p++) {
    factor *= 10;
    group = group * 10 + digit;
  }
  return p > start && append(out, factor, group) ? p : 0;
}

/** Multiplies a number of four words by a factor and adds a group of digits. @returns false if it exceeds 128 bits */
function append(out: usize, factor: u64, group: u64): bool {
  let carry = group;
  for (let word = out + 12; word >= out; word -= 4) {
    carry += <u64>load<u32>(word) * factor;
    store<u32>(word, <u32>carry);
    carry >>= 32;
  }
  return carry == 0;
}

/** Dotted decimal without leading zeros. */
function parseIpv4Text(start: usize, out: usize): usize {
  let p = start;
  let value: u32 = 0;
  for (let octets = 0; octets < 4; octets++) {
    if (octets > 0 && load<u8>(p++) != DOT) return 0;
    const first = p;
    let octet: u32 = 0;
    for (let digit: u32; p - first < 4 && (digit = digitAt(p)) <= 9; p++) octet = octet * 10 + digit;
    const length = p - first;
    if (length == 0 || length > 3 || octet > 255 || (length > 1 && digitAt(first) == 0)) return 0;
    value = (value << 8) | octet;
  }
  store<u32>(out, value);
  return p;
}
