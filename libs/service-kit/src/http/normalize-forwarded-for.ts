import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** An address that may be in brackets and have a port, as Azure Application Gateway writes it; IPv6 has a port only with brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/** Replaces a request's X-Forwarded-For by what {@link addressesIn} reads from it. */
export function normalizeForwardedFor({ headers }: IncomingMessage): void {
  const given = headers['x-forwarded-for'];
  if (given !== undefined) headers['x-forwarded-for'] = addressesIn(String(given));
}

/**
 * The addresses of an X-Forwarded-For, without ports. All that are not addresses are the same `unknown` (RFC 7239 section 6.2), so
 * that they share their limits and are in no network.
 */
export function addressesIn(forwardedFor: string): string {
  const entries = forwardedFor.split(',').map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .map(addressOf)
    .join(', ');
}

function addressOf(entry: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry;
  return isIP(address) === 0 ? 'unknown' : address;
}
