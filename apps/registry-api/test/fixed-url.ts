import type { ConnectionSource } from '../src/database/connection-attempts.js';

/** A connection URL that stays the same. */
export function fixedUrl(url: string): ConnectionSource {
  return { readUrl: () => url };
}
