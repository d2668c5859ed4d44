import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What IANA has given out as global unicast; everything else of IPv6 is special, reserved or deprecated (RFC 4291). */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The host agent of every virtual machine in Azure, which gives out secrets; no registry of addresses lists it. */
const AZURE_HOST_AGENT = '168.63.129.16';

/** The names of ranges, for people. */
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
 * Which hosts the server may be made to call: those at public addresses, and those that the operator allows. Public
 * means globally reachable unicast, less every block of the IANA special-purpose address registries (RFC 6890) and
 * Azure's host agent.
 */
export class DestinationPolicy {
  private readonly blocks: readonly [Address, number][];
  private readonly names: ReadonlySet<string>;

  /**
   * @param allowed addresses, CIDR blocks and host names that may be called though they are not public
   * @throws {RangeError} that names the first entry that is none of the three
   */
  constructor(allowed: readonly string[] = []) {
    const blocks = allowed.map((entry) => ({ entry, block: toBlock(entry) }));
    this.blocks = blocks.flatMap(({ block }) => (block ? [block] : []));
    const names = blocks.flatMap(({ entry, block }) => (block ? [] : [bareName(entry)]));
    const bad = names.find((name) => !HOST_NAME.test(name) || !/[a-z]/.test(name.split('.').at(-1) ?? ''));
    if (bad !== undefined) throw new RangeError(`'${bad}' is no address, CIDR block or host name`);
    this.names = new Set(names);
  }

  /**
   * @param host as a URL has it: a name, or an address without brackets
   * @param address what is connected to
   * @returns the kind of address when it may not be called, such as `loopback`; `undefined` when it may
   */
  refusedKind(host: string, address: string): string | undefined {
    if (this.names.has(bareName(host))) return undefined;
    // An IPv4 address in IPv6's clothes reaches the IPv4 host.
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

/** Names are the same in either case and with the root's dot (RFC 1034 section 3.1). */
function bareName(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
