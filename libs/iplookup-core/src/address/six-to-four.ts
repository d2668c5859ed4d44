import { formatIpv4 } from './format-address.js';
import { parseAddress } from './parse-address.js';

const words = new Uint32Array(4);

/** The IPv4 address in a 6to4 address, 2002::/16 (RFC 3056 section 2); `undefined` for any other text. */
export function ipv4OfSixToFour(text: string): string | undefined {
  if (parseAddress(text, words) !== 6 || words[0]! >>> 16 !== 0x2002) return undefined;
  return formatIpv4(((words[0]! << 16) | (words[1]! >>> 16)) >>> 0);
}
