import { BlockList, isIP } from 'node:net';
import { type Network, parseNetwork } from '@svc/service-kit/networks';

const FAMILIES = { 4: 'ipv4', 6: 'ipv6' } as const;

/** Without zones, which are names of this host's interfaces: they say nothing about a caller. */
function parseUnzoned(text: string): Network | undefined {
  return text.includes('%') ? undefined : parseNetwork(text);
}

export function isNetwork(text: unknown): boolean {
  return typeof text === 'string' && parseUnzoned(text) !== undefined;
}

/** Tells whether an address is in one of the networks. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList();
  for (const { address, bits, version } of networks.flatMap((text) => parseUnzoned(text) ?? [])) {
    blocks.addSubnet(address, bits, FAMILIES[version]);
  }
  return (address) => {
    const version = isIP(address);
    // IPv4 addresses in IPv6 notation are compared as IPv4 addresses.
    return (version === 4 || version === 6) && blocks.check(address, FAMILIES[version]);
  };
}

/** Whether every address of these networks is in one of the other networks. */
export function areWithin(networks: readonly string[], others: readonly string[]): boolean {
  return networks.every((text) => {
    const inner = parseUnzoned(text);
    if (!inner) return false;
    return others.some((other) => {
      const outer = parseUnzoned(other);
      if (!outer || outer.version !== inner.version || outer.bits > inner.bits) return false;
      return networkMatcher([other])(inner.address);
    });
  });
}
