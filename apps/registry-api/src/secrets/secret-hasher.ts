import { createHmac, timingSafeEqual } from 'node:crypto';

/** In characters. A shorter pepper could be guessed. */
export const MIN_PEPPER_LENGTH = 32;

export interface HashedSecret {
  /** HMAC-SHA-256 of the value under the pepper. */
  readonly hash: Buffer;
  readonly pepperId: string;
}

/**
 * Hashes client secrets with a server-side key (a pepper), so that a stolen database alone is useless. The secrets have 256 bits
 * of entropy, so a slow hash would add nothing.
 */
export class SecretHasher {
  private readonly peppers: ReadonlyMap<string, string>;
  private readonly present: readonly [id: string, pepper: string];

  /** @param peppers the current one, then previous ones with which older secrets are still checked */
  constructor(peppers: readonly [string, ...string[]]) {
    this.peppers = new Map(peppers.map((pepper) => [pepperIdOf(pepper), pepper]));
    this.present = [pepperIdOf(peppers[0]), peppers[0]];
  }

  hash(secret: string): HashedSecret {
    const [pepperId, pepper] = this.present;
    return { hash: hmac(pepper, secret), pepperId };
  }

  /** Whether former peppers are configured. */
  get hasFormer(): boolean {
    return this.peppers.size > 1;
  }

  /** Whether a hash uses the current pepper, a previous one, or one that is not configured. */
  useOf({ pepperId }: Pick<HashedSecret, 'pepperId'>): 'present' | 'former' | 'unknown' {
    if (pepperId === this.present[0]) return 'present';
    return this.peppers.has(pepperId) ? 'former' : 'unknown';
  }

  /** Compares in constant time. A hash whose pepper is no longer configured never matches. */
  matches(secret: string, { hash, pepperId }: HashedSecret): boolean {
    const pepper = this.peppers.get(pepperId);
    const candidate = hmac(pepper ?? this.present[1], secret);
    return timingSafeEqual(candidate, hash) && pepper !== undefined;
  }
}

/** Identifies a pepper without revealing it. */
export function pepperIdOf(pepper: string): string {
  return hmac(pepper, 'pepper id').toString('hex').slice(0, 16);
}

function hmac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
