import { createHash, hash } from 'node:crypto';
import { EventLoopYield } from '@svc/service-kit';

/** SHA-256 of a JSON value. Values that differ in the order of their members only have the same. */
export function bodyFingerprint(body: unknown): Buffer {
  return hash('sha256', jsonOf(body), 'buffer');
}

/**
 * SHA-256 of a request that is not a registration, part by part: others are served meanwhile.
 *
 * @param operation tells requests apart whose parts are the same
 */
export async function requestFingerprint(operation: string, parts: readonly unknown[]): Promise<Buffer> {
  const pause = new EventLoopYield();
  const digest = createHash('sha256').update(operation);
  for (const part of parts) {
    await pause.ifDue();
    // JSON has no line breaks, so no two lists of parts are the same text.
    digest.update(`\n${jsonOf(part)}`);
  }
  return digest.digest();
}

function jsonOf(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? '';
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, inOrder((value as Record<string, unknown>)[name])]);
}
