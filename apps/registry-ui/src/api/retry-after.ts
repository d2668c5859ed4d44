const SECOND_MS = 1000;

/**
 * How long the header Retry-After asks to wait: it holds seconds, or a date (RFC 9110 section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns milliseconds; nothing when it says nothing that can be read
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
