const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** An IPv4 address in IPv6 notation (RFC 4291 section 2.5.5.2), as the URL parser writes it. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** The characters of an IPv6 address; the URL parser checks the rest. */
const IPV6_CHARACTERS = /^(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Fa-f:.]+))$/;

/** True for four decimal numbers from 0 to 255 without leading zeros (RFC 3986 section 3.2.2). */
export function isIpv4(host: string): boolean {
  return IPV4.test(host);
}

/** True for 127.0.0.0/8 and ::1, in any spelling, with or without the brackets of a URL (RFC 8252 section 7.3). */
export function isLoopbackAddress(host: string): boolean {
  return host.includes(':') ? parsedIpv6(host) === '[::1]' : isIpv4(host) && host.startsWith('127.');
}

/** True for a loopback address and for `localhost`. */
export function isLoopbackHost(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host);
}

/**
 * True for the address of a socket that only this machine can reach, or of a peer on this machine. Dual-stack sockets
 * write 127.0.0.1 as ::ffff:127.0.0.1.
 */
export function isLoopbackSocket(address: string): boolean {
  return isLoopbackHost(unmapped(address));
}

function unmapped(address: string): string {
  const [, high, low] = MAPPED.exec(address.includes(':') ? (parsedIpv6(address) ?? '') : '') ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The address as the URL parser writes it, in brackets; undefined when it is not an IPv6 address. */
function parsedIpv6(host: string): string | undefined {
  const [, bracketed, bare] = IPV6_CHARACTERS.exec(host) ?? [];
  try {
    return new URL(`http://[${bracketed ?? bare}]/`).hostname;
  } catch {
    return undefined;
  }
}
