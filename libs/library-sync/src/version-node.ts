/**
 * Reads the library's version as its consumers do: Python's `int()` of the node's text. A node that is missing or holds
 * anything else counts as 1.
 */
export function parseVersion(data: Uint8Array | undefined): bigint {
  const text = data === undefined ? '' : Buffer.from(data).toString().trim();
  return /^[+-]?\d+(_\d+)*$/.test(text) ? BigInt(text.replace(/^\+|_/g, '')) : 1n;
}
