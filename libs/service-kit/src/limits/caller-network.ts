import { isIPv6 } from 'node:net';

/** An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2), as Node writes it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network by which a caller's requests are counted: the /64 of an IPv6 address, because a caller controls all addresses in it
 * (RFC 4291 section 2.5.1), or the IPv4 address itself.
 *
 * @example `192.0.2.7` or `2001:db8:0:1::/64`
 */
export function callerNetwork(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const groups = groupsOf(address.replace(/%.*$/, ''));
  return isMapped(groups) ? dotted(groups.slice(6)) : `${groups.slice(0, 4).map(toHex).join(':')}::/64`;
}

/** The eight groups of 16 bits. */
function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').flatMap(toGroups));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

/** The last 32 bits may be written as an IPv4 address (RFC 4291 section 2.2). */
function toGroups(part: string): number[] {
  if (part === '') return [];
  if (!part.includes('.')) return [Number.parseInt(part, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

function dotted(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

function toHex(group: number): string {
  return group.toString(16);
}
