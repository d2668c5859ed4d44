import { hasRefusedCharacter } from './checks/check-names.js';

/**
 * Reads the library's version as its consumers do: Python's `int()` of the node's text. A node that is missing or holds
 * anything else counts as 1.
 */
export function parseVersion(data: Uint8Array | undefined): bigint {
  const text = data === undefined ? '' : Buffer.from(data).toString().trim();
  return /^[+-]?\d+(_\d+)*$/.test(text) ? BigInt(text.replace(/^\+|_/g, '')) : 1n;
}

/**
 * The version node lies at the library's root.
 *
 * @throws {RangeError} when no node there can have this name
 */
export function assertVersionNode(name: string): void {
  const isOneName = name !== '' && name !== '.' && name !== '..' && !name.includes('/');
  if (isOneName && !hasRefusedCharacter(name)) return;
  throw new RangeError(
    `${JSON.stringify(name)} is not the name of one node; use a name such as .version.yaml, or none`,
  );
}
