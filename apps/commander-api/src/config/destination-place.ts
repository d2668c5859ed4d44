import { isIP } from 'node:net';
import { join } from 'node:path';
import { folderOfUrl } from '@svc/library-source/address';
import { addressText, parseZookeeperAddresses, type ZookeeperAddress } from '@svc/zookeeper-store/addresses';
import type { LibrarySettings } from './commander-config.js';

/** Where a library and the loader's own records are stored. */
export interface DestinationPlace {
  /** The servers of a cluster; none for a folder. */
  readonly servers: readonly string[];
  /** The library's root: an absolute node, with the chroot, or an absolute folder. */
  readonly root: string;
  /** Holds locks, manifests and histories, of all libraries below the same chroot or folder. */
  readonly records: string;
}

/**
 * Symbolic links are not followed, and host names are not resolved.
 *
 * @returns undefined if there is no destination, or its address is invalid, which is reported once it is used
 */
export function destinationOf({
  urls,
  path,
}: Pick<LibrarySettings['destination'], 'urls' | 'path'>): DestinationPlace | undefined {
  if (urls === undefined) return undefined;
  try {
    if (/^file:/i.test(urls)) {
      const folder = folderOfUrl(urls);
      return { servers: [], root: normalize(join(folder, path)), records: normalize(`${folder}/.svccmd`) };
    }
    const { servers, chroot } = parseZookeeperAddresses(urls);
    return {
      servers: servers.map(canonicalServer),
      root: normalize(`${chroot}/${path}`),
      records: normalize(`${chroot}/svccmd`),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const normalize = (path: string): string => `/${path.split('/').filter(Boolean).join('/')}`;

/** The same text for every spelling of an address or host name. */
function canonicalServer({ host, port }: ZookeeperAddress): string {
  return addressText({ host: canonicalHost(host), port });
}

function canonicalHost(host: string): string {
  if (isIP(host) !== 6) return host.toLowerCase().replace(/\.$/, '');
  const [bare = host] = host.split('%');
  const { hostname } = new URL(`http://[${bare}]`);
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.slice(1, -1) + host.slice(bare.length);
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

/** @returns what both have in common, for messages; undefined if neither is within the other, or within its records */
export function overlap(a?: DestinationPlace, b?: DestinationPlace): string | undefined {
  if (!a || !b) return undefined;
  const server = a.servers.find((one) => b.servers.includes(one));
  if (server === undefined && a.servers.length + b.servers.length > 0) return undefined;
  const shared = outerOf(a.root, b.root) ?? outerOf(a.root, b.records) ?? outerOf(a.records, b.root);
  return server === undefined || shared === undefined ? shared : `${shared} at ${server}`;
}

/** The path that contains the other, if either does. */
function outerOf(a: string, b: string): string | undefined {
  const [inner, outer] = a.length > b.length ? [a, b] : [b, a];
  return `${inner}/`.startsWith(outer === '/' ? '/' : `${outer}/`) ? outer : undefined;
}
