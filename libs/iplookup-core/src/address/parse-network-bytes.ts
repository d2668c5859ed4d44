import { copyWords } from './address-words.js';
import { type AddressBytesParser, MALFORMED, parseIpv4Text, parseIpv6Text } from './parse-address-bytes.js';

/** A network has bits set after its prefix, which makes it ambiguous. */
export const STRAY_BITS = -3;

const SLASH = 47;
const DASH = 45;
const BLANK = 32;
const COLON = 58;
const ZERO = 48;

/** Text of either family; an IPv4 address is written IPv4-mapped, in four words. */
export const parseAnyText: AddressBytesParser = (bytes, start, out, at) => {
  const end = parseIpv4Text(bytes, start, out, at + 3);
  if (end < 0) return parseIpv6Text(bytes, start, out, at);
  out[at] = 0;
  out[at + 1] = 0;
  out[at + 2] = 0xffff;
  return end;
};

/**
 * A network in CIDR notation (RFC 4632 section 3.1), two addresses of one family separated by a dash, or a single
 * address; writes the first and last address.
 */
export const parseNetwork: AddressBytesParser = (bytes, start, out, at) => {
  const end = parseAnyText(bytes, start, out, at);
  if (end < 0) return end;
  const isIpv4 = !isIpv6Text(bytes, start, end);
  const next = bytes[end] === BLANK ? skipBlanks(bytes, end) : end;
  if (bytes[next] === DASH) {
    const second = skipBlanks(bytes, next + 1);
    const last = parseAnyText(bytes, second, out, at + 4);
    if (last >= 0 && isIpv6Text(bytes, second, last) !== isIpv4) return last;
  }
  let p = end;
  let length = isIpv4 ? 32 : 128;
  if (bytes[p] === SLASH) {
    const most = length;
    length = 0;
    const first = ++p;
    for (let digit; (digit = bytes[p]! - ZERO) >= 0 && digit <= 9 && p - first < 3; p++)
      length = length * 10 + digit;
    if (p === first || length > most || (bytes[first] === ZERO && p - first > 1)) return MALFORMED;
  }
  return spread(out, at, isIpv4 ? length + 96 : length) ? p : STRAY_BITS;
};

/** Whether an address is written as an IPv6 address. */
export function isIpv6Text(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === COLON) return true;
  return false;
}

function skipBlanks(bytes: Uint8Array, start: number): number {
  let p = start;
  while (bytes[p] === BLANK) p++;
  return p;
}

/** Writes the last address of the network after its first one. @returns false if bits after the prefix are set */
function spread(out: Uint32Array, at: number, length: number): boolean {
  copyWords(out, at, out, at + 4, 4);
  for (let word = 0; word < 4; word++) {
    const kept = Math.min(32, Math.max(0, length - 32 * word));
    const hosts = kept === 32 ? 0 : (0xffff_ffff >>> kept) >>> 0;
    if ((out[at + word]! & hosts) !== 0) return false;
    out[at + 4 + word]! |= hosts;
  }
  return true;
}
