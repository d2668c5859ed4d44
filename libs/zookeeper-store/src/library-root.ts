import { hasRefusedCharacter } from '@svc/library-sync';
import { parseZookeeperAddresses } from './session/zookeeper-addresses.js';

/** Reserved for the loader and for ZooKeeper itself. */
const RESERVED = ['/svccmd', '/zookeeper'];

/**
 * @param path as configured, with or without slashes at its ends
 * @param chroot absolute, or empty
 * @returns the library's root below the chroot
 * @throws {RangeError} if the path cannot hold a library
 */
export function toLibraryRoot(path: string, chroot: string): string {
  const root = `/${path.split('/').filter(Boolean).join('/')}`;
  if (root === '/') {
    throw new RangeError(
      'the library cannot be the root node: lock and manifest are stored beside it; use a path such as /library',
    );
  }
  const whole = `${chroot}${root}`;
  if (hasRefusedCharacter(whole)) {
    throw new RangeError(`${JSON.stringify(whole)} contains a character that ZooKeeper rejects`);
  }
  if (/(^|\/)\.{1,2}(\/|$)/.test(whole)) throw new RangeError(`${whole} contains "." or ".." as a name`);
  // Checked with and without the chroot: another loader may use the cluster without one.
  const conflict = [root, whole].find((place) => RESERVED.some((node) => `${place}/`.startsWith(`${node}/`)));
  if (conflict !== undefined) {
    throw new RangeError(`${conflict} cannot hold a library: it belongs to the loader or to ZooKeeper`);
  }
  return root;
}

/**
 * @param addresses `host:port,host:port/chroot`
 * @throws {RangeError} if either is invalid
 */
export function assertLibraryPath(addresses: string, path: string): void {
  toLibraryRoot(path, parseZookeeperAddresses(addresses).chroot);
}
