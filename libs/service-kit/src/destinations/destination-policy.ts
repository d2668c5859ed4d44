import { isIP, type LookupFunction } from 'node:net';
import { lookup, type LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** IANA's global unicast range; all other IPv6 addresses are special, reserved or deprecated (RFC 4291). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The host agent of Azure's virtual machines, which hands out secrets; no address registry lists it. */
const AZURE_HOST_AGENT = '168.63.129.16';

/** Names of ranges for messages. */
const KINDS: Readonly<Record<string, string>> = {
  carrierGradeNat: 'carrier-grade NAT',
  ipv4Mapped: 'IPv4-mapped',
  linkLocal: 'link-local',
  rfc6052: 'NAT64',
  uniqueLocal: 'unique local',
};

/** A host name: dot-separated labels; a letter in the last one distinguishes it from a mistyped address. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Which hosts a server may be made to call: those at public addresses, and those that the operator allows. Public means
 * globally reachable unicast, except the blocks of the IANA special-purpose address registries (RFC 6890) and Azure's host agent.
 */
export class DestinationPolicy {
  private readonly blocks: readonly [Address, number][];
  private readonly names: ReadonlySet<string>;

  /**
   * @param allowed addresses, CIDR blocks and host names that may be called although they are not public
   * @param setting where the operator lists them, for messages
   * @throws {RangeError} that names the first invalid entry
   */
  constructor(
    allowed: readonly string[] = [],
    private readonly setting = 'the configuration',
  ) {
    const blocks = allowed.map((entry) => ({ entry, block: toBlock(entry) }));
    this.blocks = blocks.flatMap(({ block }) => (block ? [block] : []));
    const names = blocks.flatMap(({ entry, block }) => (block ? [] : [bareName(entry)]));
    const bad = names.find((name) => !HOST_NAME.test(name) || !/[a-z]/.test(name.split('.').at(-1) ?? ''));
    if (bad !== undefined) throw new RangeError(`'${bad}' is not an address, CIDR block or host name`);
    this.names = new Set(names);
  }

  /** @throws {AddressRefusedError} if a URL's host is an address that may not be called: sockets do not look these up */
  assertLiteralPermitted({ hostname }: URL): void {
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const kind = isIP(host) === 0 ? undefined : this.refusedKind(host, host);
    if (kind !== undefined) throw this.refusal(kind);
  }

  /** @param kind of the address, such as `loopback` */
  refusal(kind: string): AddressRefusedError {
    return new AddressRefusedError(kind, this.setting);
  }

  /**
   * @param host from a URL: a name, or an address without brackets
   * @param address that will be connected to
   * @returns the kind of address if it may not be called, such as `loopback`; `undefined` if it may
   */
  refusedKind(host: string, address: string): string | undefined {
    if (this.names.has(bareName(host))) return undefined;
    // An IPv4-mapped IPv6 address reaches the IPv4 host.
    const connected = ipaddr.process(address);
    const kind = kindOf(connected);
    return kind === undefined || this.blocks.some((block) => contains(block, connected)) ? undefined : kind;
  }
}

function kindOf(address: Address): string | undefined {
  const range = address.range();
  if (range !== 'unicast') return KINDS[range] ?? range;
  if (address.toString() === AZURE_HOST_AGENT) return "Azure's host agent";
  if (address instanceof ipaddr.IPv6 && !address.match(IPV6_GLOBAL_UNICAST)) return 'reserved';
  return undefined;
}

function contains([base, bits]: [Address, number], address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, bits);
}

function toBlock(entry: string): [Address, number] | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (isIP(entry) === 0) return undefined;
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Names are case-insensitive, with or without the root's dot (RFC 1034 section 3.1). */
function bareName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** None of the host's addresses may be called. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  /** @param kind such as `loopback`; the address itself may be confidential */
  constructor(kind: string, setting: string) {
    super(`the host is at a ${kind} address, not a public one; the operator can allow it by ${setting}`);
  }
}

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family: 0 | 4 | 6 },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup function for sockets that returns only addresses that may be called. The socket connects to what this returns, so
 * DNS rebinding, where a name resolves differently the next time, has no effect.
 */
export function guardedLookup(policy: DestinationPolicy, resolve: Resolve = lookup): LookupFunction {
  return (hostname, { family, all }, callback) => {
    resolve(hostname, { all: true, family: toFamily(family) }, (error, addresses) => {
      if (error) return callback(error, []);
      const kinds = addresses.map(({ address }) => policy.refusedKind(hostname, address));
      const permitted = addresses.filter((_, at) => kinds[at] === undefined);
      const [first] = permitted;
      if (!first) return callback(policy.refusal(kinds[0] ?? 'missing'), []);
      return all === true ? callback(null, permitted) : callback(null, first.address, first.family);
    });
  };
}

function toFamily(family: number | 'IPv4' | 'IPv6' | undefined): 0 | 4 | 6 {
  if (family === 4 || family === 'IPv4') return 4;
  return family === 6 || family === 'IPv6' ? 6 : 0;
}
