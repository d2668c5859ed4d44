import { isIP } from 'node:net';

/** A CIDR block; an address alone is a block of one. */
export interface Network {
  /** An IPv6 address may have a zone, such as `fe80::1%eth0`. */
  readonly address: string;
  /** Length of the prefix. */
  readonly bits: number;
  readonly version: 4 | 6;
}

/** @returns undefined if the text is neither an address nor a CIDR block */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version !== 4 && version !== 6) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = Number(prefix ?? most);
  return bits <= most ? { address, bits, version } : undefined;
}

/** Whether a text is an IP address or a CIDR block. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}
