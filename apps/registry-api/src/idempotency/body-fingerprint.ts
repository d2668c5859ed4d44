import { hash } from 'node:crypto';

/** SHA-256 of a JSON value. Values that differ in the order of their members only have the same. */
export function bodyFingerprint(body: unknown): Buffer {
  return hash('sha256', JSON.stringify(inOrder(body)) ?? '', 'buffer');
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, inOrder((value as Record<string, unknown>)[name])]);
}
