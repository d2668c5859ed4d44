import { toLibraryRoot } from './library-root.js';

test.each([
  ['/library', '', '/library'],
  ['library/', '/app', '/library'],
  ['/a/b', '', '/a/b'],
  ['/svccmd-2/library', '', '/svccmd-2/library'],
])('%s below the chroot "%s" can hold a library', (path, chroot, root) => {
  expect(toLibraryRoot(path, chroot)).toBe(root);
});

const TAKEN = 'cannot hold a library: it belongs to the loader or to ZooKeeper';

test.each([
  [
    '/',
    '/app',
    'the library cannot be the root node: lock and manifest are stored beside it; use a path such as /library',
  ],
  ['/svccmd', '', `/svccmd ${TAKEN}`],
  ['/svccmd/libraries', '', `/svccmd/libraries ${TAKEN}`],
  ['/zookeeper/quota', '', `/zookeeper/quota ${TAKEN}`],
  ['/libraries', '/svccmd', `/svccmd/libraries ${TAKEN}`],
  ['/quota', '/zookeeper', `/zookeeper/quota ${TAKEN}`],
  ['/svccmd', '/app', `/svccmd ${TAKEN}`],
  ['/a/../b', '', '/a/../b contains "." or ".." as a name'],
  ['/a', '/x/.', '/x/./a contains "." or ".." as a name'],
  ['/a\u0001', '', '"/a\\u0001" contains a character that ZooKeeper rejects'],
])('%j below the chroot "%s" is rejected', (path, chroot, message) => {
  expect(() => toLibraryRoot(path, chroot)).toThrow(new RangeError(message));
});
