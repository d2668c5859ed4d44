import { createHmac, timingSafeEqual } from 'node:crypto';

/** What is stored of a secret. */
export interface HashedSecret {
  /** HMAC-SHA-256 of the value under the pepper. */
  readonly hash: Buffer;
  readonly pepperId: string;
}

/**
 * Hashes client secrets with a key of the server's (a pepper), so that a stolen database alone is useless. The
 * values have 256 bits of entropy: a slow hash would add nothing.
 */
export class SecretHasher {
  private readonly peppers: ReadonlyMap<string, string>;
  private readonly present: readonly [id: string, pepper: string];

  /** @param peppers the present one, and former ones by which older secrets are still checked */
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

  /** Which pepper a hash is under: the present one, a former one, or one that is not configured. */
  useOf({ pepperId }: Pick<HashedSecret, 'pepperId'>): 'present' | 'former' | 'unknown' {
    if (pepperId === this.present[0]) return 'present';
    return this.peppers.has(pepperId) ? 'former' : 'unknown';
  }

  /** Compares in constant time. A hash under a pepper that is no longer configured never matches. */
  matches(secret: string, { hash, pepperId }: HashedSecret): boolean {
    const pepper = this.peppers.get(pepperId);
    const candidate = hmac(pepper ?? this.present[1], secret);
    return timingSafeEqual(candidate, hash) && pepper !== undefined;
  }
}

/** Names a pepper without telling anything of it. */
function pepperIdOf(pepper: string): string {
  return hmac(pepper, 'pepper id').toString('hex').slice(0, 16);
}

function hmac(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
