import { BlockList, isIP } from 'node:net';
import { hostOf, portOf, withoutBrackets } from './host-and-port.js';

/**
 * Whether `NO_PROXY` names a URL's host: as a host or domain, which includes its subdomains (`example.com`,
 * `.example.com`, `*.example.com`), an address, a network (`10.0.0.0/8`), or `*`. A host or address may have a port.
 */
export function isExempt(url: URL, noProxy: string): boolean {
  const host = normal(hostOf(url));
  const port = String(portOf(url));
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some(
      (entry) => entry === '*' || (entry.includes('/') ? isWithin(host, entry) : isSame(host, port, entry)),
    );
}

/** Names may end with the dot of the root. */
const normal = (host: string): string => host.toLowerCase().replace(/\.$/, '');

function isSame(host: string, port: string, entry: string): boolean {
  const [, withoutPort, entryPort] = (isIP(entry) === 0 && /^(.+):(\d+)$/.exec(entry)) || [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const name = normal(withoutBrackets(withoutPort ?? entry)).replace(/^\*?\./, '');
  if (isIP(name) === 6) return isWithin(host, `${name}/128`);
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
