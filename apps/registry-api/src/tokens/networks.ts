import { BlockList, isIP } from 'node:net';

const FAMILIES = { 4: { name: 'ipv4', bits: 32 }, 6: { name: 'ipv6', bits: 128 } } as const;

/** A CIDR block; an address alone is a block of one. */
interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: (typeof FAMILIES)[4 | 6];
}

/** @returns undefined if the text is neither an address nor a CIDR block */
function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version !== 4 && version !== 6) return undefined;
  const family = FAMILIES[version];
  const bits = prefix === undefined ? family.bits : Number(prefix);
  return bits <= family.bits ? { address, bits, family } : undefined;
}

export function isNetwork(text: unknown): boolean {
  return typeof text === 'string' && parseNetwork(text) !== undefined;
}

/** Tells whether an address is in one of the networks. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList();
  for (const { address, bits, family } of networks.flatMap((text) => parseNetwork(text) ?? [])) {
    blocks.addSubnet(address, bits, family.name);
  }
  return (address) => {
    const version = isIP(address);
    // IPv4 addresses in IPv6 notation are compared as IPv4 addresses.
    return (version === 4 || version === 6) && blocks.check(address, FAMILIES[version].name);
  };
}

/** Whether every address of these networks is in one of the other networks. */
export function areWithin(networks: readonly string[], others: readonly string[]): boolean {
  return networks.every((text) => {
    const inner = parseNetwork(text);
    if (!inner) return false;
    return others.some((other) => {
      const outer = parseNetwork(other);
      if (!outer || outer.family !== inner.family || outer.bits > inner.bits) return false;
      return networkMatcher([other])(inner.address);
    });
  });
}
