import { parseIpv4Text, parseIpv6Text } from './parse-address-bytes.js';

/** Fits the longest text form (45 characters, RFC 4291 section 2.2, form 3) and reveals longer ones. */
const scratch = new Uint8Array(48);

/** What {@link parseAddress} found. */
export type AddressFamily = 4 | 6;

/**
 * Reads an address in text form.
 *
 * @param out receives one word at index 0 (IPv4) or four words (IPv6), most significant first
 * @returns the family, or `undefined` if `text` is not an address; zones (`%eth0`) and prefixes are not allowed
 */
export function parseAddress(text: string, out: Uint32Array): AddressFamily | undefined {
  const length = text.length;
  if (length > 45) return undefined;
  let colon = false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return undefined;
    if (code === 58) colon = true;
    scratch[i] = code;
  }
  scratch[length] = 0;
  const end = colon ? parseIpv6Text(scratch, 0, out, 0) : parseIpv4Text(scratch, 0, out, 0);
  if (end !== length) return undefined;
  return colon ? 6 : 4;
}
