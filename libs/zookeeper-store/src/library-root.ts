import { hasRefusedCharacter } from '@svc/library-sync';

/** Nodes of the loader, and of ZooKeeper itself. */
const TAKEN = ['/svccmd', '/zookeeper'];

/**
 * @param path as configured, with or without slashes at its ends
 * @param chroot absolute, or empty
 * @returns the library's root below the chroot
 * @throws {RangeError} when a library cannot be stored there
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
    throw new RangeError(`${JSON.stringify(whole)} has a character that ZooKeeper refuses`);
  }
  if (/(^|\/)\.{1,2}(\/|$)/.test(whole)) throw new RangeError(`${whole} has a name that is "." or ".."`);
  // The loader's nodes lie below the chroot, those of a loader without one at the top.
  const taken = [root, whole].find((place) => TAKEN.some((node) => `${place}/`.startsWith(`${node}/`)));
  if (taken !== undefined) {
    throw new RangeError(`${taken} cannot hold a library: it belongs to the loader or to ZooKeeper`);
  }
  return root;
}
