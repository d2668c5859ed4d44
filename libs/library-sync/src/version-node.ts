import { hasRefusedCharacter } from './checks/check-names.js';

/** Beside the version node, when signatures are verified. Like all names with a dot, sources cannot contain it. */
export const SIGNATURE_NODE = '.signature.yaml';

/**
 * Parses the library's version like its consumers, with the semantics of Python's `int()`. A missing node or invalid
 * text counts as 1.
 */
export function parseVersion(data: Uint8Array | undefined): bigint {
  const text = data === undefined ? '' : Buffer.from(data).toString().trim();
  return /^[+-]?\d+(_\d+)*$/.test(text) ? BigInt(text.replace(/^\+|_/g, '')) : 1n;
}

/**
 * The version node lies at the library's root.
 *
 * @throws {RangeError} if it is not a valid node name
 */
export function assertVersionNode(name: string): void {
  const isOneName =
    name !== SIGNATURE_NODE && name !== '' && name !== '.' && name !== '..' && !name.includes('/');
  if (isOneName && !hasRefusedCharacter(name)) return;
  throw new RangeError(
    `${JSON.stringify(name)} is not the name of one node; use a name such as .version.yaml, or none`,
  );
}
