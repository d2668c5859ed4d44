/** A network of a provider's published ranges. */
export interface ProviderRange {
  readonly network: string;
  readonly provider: string;
  /** Empty if the provider does not say. */
  readonly service: string;
  readonly region: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the address ranges that a cloud provider publishes as JSON. The provider is recognised by the document's members:
 * AWS (`ip-ranges.json`), Azure (`ServiceTags_*.json`), Cloudflare (`/client/v4/ips`), GitHub (`/meta`), Google
 * (`cloud.json`, `goog.json`) and Oracle (`public_ip_ranges.json`); also a list of networks, alone or by service.
 *
 * @returns undefined if the document is none of these
 */
export function readProviderRanges(document: unknown): ProviderRange[] | undefined {
  if (Array.isArray(document))
    return isNetworks(document) ? document.map((network) => range(network)) : undefined;
  const root = asObject(document);
  for (const read of READERS) {
    const ranges = read(root);
    if (ranges.length > 0) return ranges;
  }
  return undefined;
}

const READERS: readonly ((root: Json) => ProviderRange[])[] = [
  aws,
  google,
  azure,
  oracle,
  cloudflare,
  byService,
];

function aws({ prefixes, ipv6_prefixes }: Json): ProviderRange[] {
  const all = [...objects(prefixes), ...objects(ipv6_prefixes)];
  return all
    .filter((each) => 'ip_prefix' in each || 'ipv6_prefix' in each)
    .map(({ ip_prefix, ipv6_prefix, service, region }) =>
      range(ip_prefix ?? ipv6_prefix, 'aws', service, region),
    );
}

function google({ prefixes }: Json): ProviderRange[] {
  return objects(prefixes)
    .filter((each) => 'ipv4Prefix' in each || 'ipv6Prefix' in each)
    .map(({ ipv4Prefix, ipv6Prefix, service, scope }) =>
      range(ipv4Prefix ?? ipv6Prefix, 'google', service, scope),
    );
}

function azure({ values }: Json): ProviderRange[] {
  return objects(values).flatMap(({ name, properties }) => {
    const { region, addressPrefixes } = asObject(properties);
    return items(addressPrefixes).map((network) => range(network, 'azure', name, region));
  });
}

function oracle({ regions }: Json): ProviderRange[] {
  return objects(regions).flatMap(({ region, cidrs }) =>
    objects(cidrs).map(({ cidr, tags }) => range(cidr, 'oracle', items(tags).map(text).join(' '), region)),
  );
}

function cloudflare({ result }: Json): ProviderRange[] {
  const { ipv4_cidrs, ipv6_cidrs } = asObject(result);
  return [...items(ipv4_cidrs), ...items(ipv6_cidrs)].map((network) => range(network, 'cloudflare'));
}

/** Members that are lists of networks, as GitHub's. */
function byService(root: Json): ProviderRange[] {
  const provider = 'hooks' in root && 'actions' in root ? 'github' : '';
  return Object.entries(root).flatMap(([service, networks]) =>
    isNetworks(networks) ? networks.map((network) => range(network, provider, service)) : [],
  );
}

function range(network: unknown, provider = '', service: unknown = '', region: unknown = ''): ProviderRange {
  return { network: text(network), provider, service: text(service), region: text(region) };
}

/** True if some of a list's items look like networks; the builder refuses those that are none. */
function isNetworks(value: unknown): value is readonly unknown[] {
  return items(value).some((item) => typeof item === 'string' && looksLikeNetwork(item));
}

/** Whether it begins with what people write for an address, valid or not; MAC addresses of six bytes and fingerprints do not. */
function looksLikeNetwork(item: string): boolean {
  const [address = ''] = item.trim().split(/[-/ ]/);
  if (/^\d+(\.\d+){3}$/.test(address)) return true;
  if (!/^[\da-f:]+(\.\d+){0,3}$/i.test(address)) return false;
  // An IPv4 address at the end takes the place of two groups.
  const groups = address.split(':').length + (address.includes('.') ? 1 : 0);
  return address.includes('::') || groups === 8;
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objects(value: unknown): Json[] {
  return items(value).map(asObject);
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** Other values are left to the builder, which refuses them as networks. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
