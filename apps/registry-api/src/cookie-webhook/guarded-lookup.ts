import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { DestinationPolicy } from './destination-policy.js';

/** The host is at no address that may be called. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  /** @param kind of the address, such as `loopback`; the address itself could be one that callers should not learn */
  constructor(kind: string) {
    super(
      `the host is at a ${kind} address, not a public one; the operator can allow it by COOKIE_WEBHOOK_ALLOW`,
    );
  }
}

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family: 0 | 4 | 6 },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A look-up for sockets that hands out only addresses which may be called. The socket connects to what it gets from
 * here, so a name that resolves differently the next time (DNS rebinding) has no effect.
 */
export function guardedLookup(policy: DestinationPolicy, resolve: Resolve = lookup): LookupFunction {
  return (hostname, { family, all }, callback) => {
    resolve(hostname, { all: true, family: toFamily(family) }, (error, addresses) => {
      if (error) return callback(error, []);
      const kinds = addresses.map(({ address }) => policy.refusedKind(hostname, address));
      const permitted = addresses.filter((_, at) => kinds[at] === undefined);
      const [first] = permitted;
      if (!first) return callback(new AddressRefusedError(kinds[0] ?? 'missing'), []);
      return all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}

function toFamily(family: number | 'IPv4' | 'IPv6' | undefined): 0 | 4 | 6 {
  if (family === 4 || family === 'IPv4') return 4;
  return family === 6 || family === 'IPv6' ? 6 : 0;
}
