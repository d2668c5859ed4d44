import { isIpv4 } from '@svc/foundation';

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
]);

/** RFC 1035 section 2.3.4, minus the length bytes at both ends. */
const MAX_NAME_LENGTH = 253;

const LABEL = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`);

/**
 * True for a host that all parsers interpret alike: a name of LDH labels (RFC 1123 section 2.1; underscores are
 * allowed for private networks), an IPv4 address, or an IPv6 address in brackets. Numeric names, which parsers read
 * as addresses (`2130706433`, `0x7f.1`), are rejected, as is anything that browsers' URL parser changes.
 */
export function isHost(host: string): boolean {
  if (host.startsWith('[')) return parsedHost(host) !== undefined;
  if (isIpv4(host)) return true;
  return (
    host.replace(/\.$/, '').length <= MAX_NAME_LENGTH &&
    HOST_NAME.test(host) &&
    parsedHost(host) === host.toLowerCase()
  );
}

/** A domain name that a cookie can be set for: at least two labels or `localhost`, not an address (RFC 6265 5.1.3). */
export function isDomain(text: string): boolean {
  if (text.toLowerCase() === 'localhost') return true;
  return text.includes('.') && !text.endsWith('.') && !text.includes('_') && !isIpv4(text) && isHost(text);
}

/** True for a well-formed port: not empty, no leading zeros, at most 65535 (RFC 3986 section 3.2.3). */
export function isPort(port: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(port) && Number(port) <= 65_535;
}

/** The port, or the scheme's default if absent; NaN, which never equals another, if not a number. */
export function effectivePort(scheme: string, port: string | undefined): number | undefined {
  return port === undefined ? DEFAULT_PORTS.get(scheme) : Number.parseInt(port, 10);
}

/** The host as parsed by browsers (WHATWG); undefined if rejected. */
function parsedHost(host: string): string | undefined {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
}
