/**
 * Parsers for one address within a row's bytes, for the builder's hot loop and the reader alike.
 *
 * Each reads greedily from `start` and returns the position after the last byte consumed, `MALFORMED` or
 * `OUT_OF_RANGE`. Callers check what follows, and must ensure that a byte that is not part of any address (a
 * separator or line break) follows. An address is written to `out` from `at` on, as 32-bit
 * words, most significant first: one word for IPv4, four for IPv6.
 */
export type AddressBytesParser = (bytes: Uint8Array, start: number, out: Uint32Array, at: number) => number;

/** The bytes are not an address of the parser's form. */
export const MALFORMED = -1;

/** The bytes are a number that needs more than 32 (IPv4) or 128 bits (IPv6). */
export const OUT_OF_RANGE = -2;

const ZERO = 48;
const DOT = 46;
const COLON = 58;
const WORD = 0x1_0000_0000;

/** Unsigned decimal of at most 32 bits. */
export const parseIpv4Integer: AddressBytesParser = (bytes, start, out, at) => {
  let value = 0;
  let p = start;
  for (let digit; (digit = bytes[p]! - ZERO) >= 0 && digit <= 9; p++) {
    value = value * 10 + digit;
    if (value >= WORD) return OUT_OF_RANGE;
  }
  if (p === start) return MALFORMED;
  out[at] = value;
  return p;
};

/** Decimals with this many digits are exact as doubles. */
const EXACT_DIGITS = 15;

/** Unsigned decimal of at most 128 bits. IPv4-mapped numbers have 15 digits, so most rows take the fast path. */
export const parseIpv6Integer: AddressBytesParser = (bytes, start, out, at) => {
  let p = start;
  let head = 0;
  const exactEnd = start + EXACT_DIGITS;
  for (let digit; p < exactEnd && (digit = bytes[p]! - ZERO) >= 0 && digit <= 9; p++)
    head = head * 10 + digit;
  if (p === start) return MALFORMED;
  out[at] = 0;
  out[at + 1] = 0;
  out[at + 2] = head / WORD;
  out[at + 3] = head % WORD;
  return p < exactEnd ? p : parseRest(bytes, p, out, at);
};

/** Appends digits in groups of six: a word times 10^6 plus a carry is exact as a double. */
function parseRest(bytes: Uint8Array, start: number, out: Uint32Array, at: number): number {
  let p = start;
  let w0 = out[at]!;
  let w1 = out[at + 1]!;
  let w2 = out[at + 2]!;
  let w3 = out[at + 3]!;
  for (;;) {
    let group = 0;
    let factor = 1;
    for (let digit; factor < 1e6 && (digit = bytes[p]! - ZERO) >= 0 && digit <= 9; p++) {
      group = group * 10 + digit;
      factor *= 10;
    }
    if (factor === 1) break;
    const t3 = w3 * factor + group;
    const c3 = (t3 / WORD) | 0;
    const t2 = w2 * factor + c3;
    const c2 = (t2 / WORD) | 0;
    const t1 = w1 * factor + c2;
    const c1 = (t1 / WORD) | 0;
    w0 = w0 * factor + c1;
    if (w0 >= WORD) return OUT_OF_RANGE;
    w3 = t3 - c3 * WORD;
    w2 = t2 - c2 * WORD;
    w1 = t1 - c1 * WORD;
  }
  out[at] = w0;
  out[at + 1] = w1;
  out[at + 2] = w2;
  out[at + 3] = w3;
  return p;
}

/** Dotted decimal as in RFC 3986 section 3.2.2 (`dec-octet`): no leading zeros, which some readers take for octal. */
export const parseIpv4Text: AddressBytesParser = (bytes, start, out, at) => {
  let p = start;
  let value = 0;
  for (let octets = 0; octets < 4; octets++) {
    if (octets > 0 && bytes[p++] !== DOT) return MALFORMED;
    const first = p;
    let octet = 0;
    for (let digit; (digit = bytes[p]! - ZERO) >= 0 && digit <= 9; p++) octet = octet * 10 + digit;
    if (p === first || octet > 255 || p - first > 3 || (p - first > 1 && bytes[first] === ZERO))
      return MALFORMED;
    value = value * 256 + octet;
  }
  out[at] = value;
  return p;
};

const groups = new Uint16Array(8);
const embedded = new Uint32Array(1);

/** Text of RFC 4291 section 2.2 in all three forms (full, `::`, trailing dotted decimal); no zone, no prefix. */
export const parseIpv6Text: AddressBytesParser = (bytes, start, out, at) => {
  let p = start;
  let count = 0;
  let gap = -1;
  if (bytes[p] === COLON) {
    if (bytes[p + 1] !== COLON) return MALFORMED;
    gap = 0;
    p += 2;
  }
  while (count < 8) {
    const first = p;
    const group = parseHexGroup(bytes, p);
    p = first + groupLength;
    if (p === first) break;
    if (bytes[p] === DOT) {
      p = count > 6 ? MALFORMED : parseIpv4Text(bytes, first, embedded, 0);
      if (p < 0) return MALFORMED;
      groups[count++] = embedded[0]! >>> 16;
      groups[count++] = embedded[0]! & 0xffff;
      break;
    }
    groups[count++] = group;
    if (bytes[p] !== COLON) break;
    if (bytes[p + 1] === COLON) {
      if (gap >= 0) return MALFORMED;
      gap = count;
      p += 2;
    } else if (count === 8 || hexDigit(bytes[p + 1]!) < 0) return MALFORMED;
    else p++;
  }
  if (gap < 0 ? count !== 8 : count === 8) return MALFORMED;
  spreadGroups(count, gap, out, at);
  return p;
};

let groupLength = 0;

/** Reads one to four hexadecimal digits; stores their count in `groupLength`. */
function parseHexGroup(bytes: Uint8Array, start: number): number {
  let value = 0;
  let length = 0;
  for (let digit; length < 4 && (digit = hexDigit(bytes[start + length]!)) >= 0; length++)
    value = value * 16 + digit;
  groupLength = length;
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= 57) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** Writes the groups as words, filling in zeros for the `::` before group `gap`. */
function spreadGroups(count: number, gap: number, out: Uint32Array, at: number): void {
  const zeros = 8 - count;
  const groupAt = (index: number): number => {
    if (gap < 0 || index < gap) return groups[index]!;
    return index < gap + zeros ? 0 : groups[index - zeros]!;
  };
  for (let word = 0; word < 4; word++) out[at + word] = groupAt(2 * word) * 65_536 + groupAt(2 * word + 1);
}
