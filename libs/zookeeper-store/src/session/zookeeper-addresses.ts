import { isLoopbackHost } from '@svc/foundation';
import { isIP } from 'node:net';

export interface ZookeeperAddress {
  readonly host: string;
  readonly port: number;
}

/** A cluster's servers, and the node that all paths are relative to (empty for the root). */
export interface ZookeeperAddresses {
  readonly servers: readonly ZookeeperAddress[];
  readonly chroot: string;
}

const DEFAULT_PORT = 2181;

/**
 * Reads `host:port,host:port/chroot`, ZooKeeper's own notation; IPv6 addresses are in brackets, the default port is
 * 2181, and a leading `zk://` or `zookeeper://` is accepted.
 *
 * @throws {RangeError} naming the invalid part, but never a password
 */
export function parseZookeeperAddresses(text: string): ZookeeperAddresses {
  const bare = text.trim().replace(/^(zk|zookeeper):\/\//, '');
  const slash = bare.indexOf('/');
  const [list, path] = slash < 0 ? [bare, ''] : [bare.slice(0, slash), bare.slice(slash)];
  // A server after the @ tells a password with a slash from a path.
  if (/@[^/]*:\d+/.test(path)) throw new RangeError(NO_USER);
  try {
    return parseParts(list, path.replace(/\/+$/, ''));
  } catch (error) {
    if (!bare.includes('@')) throw error;
    // Any part may be one of a password, with commas or slashes in it.
    throw new RangeError(/@|:\D/.test(list) ? NO_USER : NO_ADDRESSES);
  }
}

const NO_USER = 'must not contain a user or password; set destination.auth instead';

const NO_ADDRESSES = 'is not host:port/path with a port from 1 to 65535 and a path without empty names';

function parseParts(list: string, chroot: string): ZookeeperAddresses {
  if (chroot.includes('//')) throw new RangeError(`the path ${chroot} contains an empty name`);
  const servers = list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseServer);
  if (servers.length === 0)
    throw new RangeError('no server given; write host:port, or several separated by commas');
  return { servers, chroot };
}

function parseServer(text: string): ZookeeperAddress {
  const match = /^(?:\[([^\]]+)\]|([^:@[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? DEFAULT_PORT : Number(match[3]);
  const isBracketed = match?.[1] !== undefined;
  if (!host || port < 1 || port > 65_535 || (isBracketed && isIP(host) !== 6)) {
    throw new RangeError(`${JSON.stringify(text)} is not host:port ([address]:port for IPv6)`);
  }
  return { host, port };
}

/** `host:port`, with brackets around an IPv6 address. */
export function addressText({ host, port }: ZookeeperAddress): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

export function isLoopback({ host }: ZookeeperAddress): boolean {
  return isLoopbackHost(host);
}
