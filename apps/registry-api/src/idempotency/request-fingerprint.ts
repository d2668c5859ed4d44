import { createHash, hash } from 'node:crypto';
import { EventLoopYield } from '@svc/service-kit';

/** SHA-256 of a JSON value, regardless of the order of its members. */
export function bodyFingerprint(body: unknown): Buffer {
  return hash('sha256', jsonOf(body), 'buffer');
}

/**
 * SHA-256 of a request other than a registration, part by part, so that other requests are served in between.
 *
 * @param operation distinguishes requests with the same parts
 */
export async function requestFingerprint(operation: string, parts: readonly unknown[]): Promise<Buffer> {
  const pause = new EventLoopYield();
  const digest = createHash('sha256').update(operation);
  for (const part of parts) {
    await pause.ifDue();
    // JSON has no line breaks, so no two lists of parts produce the same text.
    digest.update(`\n${jsonOf(part)}`);
  }
  return digest.digest();
}

function jsonOf(value: unknown): string {
  return JSON.stringify(withSortedMembers(value)) ?? '';
}

function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, withSortedMembers((value as Record<string, unknown>)[name])]);
}
