import { BlockList, isIP } from 'node:net';

/**
 * Whether `NO_PROXY` names a URL's host: as a host or domain, which includes its subdomains (`example.com`,
 * `.example.com`, `*.example.com`), an address, a network (`10.0.0.0/8`), or `*`. A host or address may have a port.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some(
      (entry) => entry === '*' || (entry.includes('/') ? isWithin(host, entry) : isSame(host, port, entry)),
    );
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase();

function isSame(host: string, port: string, entry: string): boolean {
  const [, withoutPort, entryPort] = (isIP(entry) === 0 && /^(.+):(\d+)$/.exec(entry)) || [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const name = bare(withoutPort ?? entry).replace(/^\*?\./, '');
  return name !== '' && (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)));
}

function isWithin(host: string, network: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(network) ?? [];
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, Number(bits), name);
  return list.check(host, name);
}
