import { join } from 'node:path';
import { folderOfUrl } from '@svc/library-source/address';
import { addressText, parseZookeeperAddresses } from '@svc/zookeeper-store/addresses';
import type { LibrarySettings } from './commander-config.js';

/** Where a library is stored. */
export interface DestinationPlace {
  /** The servers of a cluster; none for a folder. */
  readonly servers: readonly string[];
  /** The library's root: an absolute node, with the chroot, or an absolute folder. */
  readonly root: string;
}

/** @returns undefined if there is no destination, or its address is invalid, which is reported once it is used */
export function destinationOf({
  urls,
  path,
}: Pick<LibrarySettings['destination'], 'urls' | 'path'>): DestinationPlace | undefined {
  if (urls === undefined) return undefined;
  try {
    if (/^file:/i.test(urls)) return { servers: [], root: normalize(join(folderOfUrl(urls), path)) };
    const { servers, chroot } = parseZookeeperAddresses(urls);
    return {
      servers: servers.map((server) => addressText(server).toLowerCase()),
      root: normalize(`${chroot}/${path}`),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const normalize = (path: string): string => `/${path.split('/').filter(Boolean).join('/')}`;

/** @returns what both have in common, for messages; undefined if neither is within the other */
export function overlap(a?: DestinationPlace, b?: DestinationPlace): string | undefined {
  if (!a || !b) return undefined;
  const server = a.servers.find((one) => b.servers.includes(one));
  if (server === undefined && a.servers.length + b.servers.length > 0) return undefined;
  const [inner, outer] = a.root.length > b.root.length ? [a.root, b.root] : [b.root, a.root];
  if (!`${inner}/`.startsWith(outer === '/' ? '/' : `${outer}/`)) return undefined;
  return server === undefined ? outer : `${outer} at ${server}`;
}
