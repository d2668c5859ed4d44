import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { pepperIdOf } from './secret-hasher.js';

/** A key for the MACs of security events. */
export interface EventKey {
  /** Id of the pepper that it is derived from. */
  readonly id: string;
  mac(content: Buffer): Buffer;
}

/** Keys derived from the peppers, so that there is one secret to manage. They reveal nothing about the peppers. */
export class EventKeys {
  readonly current: EventKey;
  private readonly keys: ReadonlyMap<string, EventKey>;

  /** @param peppers the current one, then former ones, under which older events are still verified */
  constructor(peppers: readonly [string, ...string[]]) {
    this.current = deriveKey(peppers[0]);
    this.keys = new Map(peppers.map(deriveKey).map((key) => [key.id, key]));
  }

  /** @returns undefined when its pepper is not configured */
  find(id: string): EventKey | undefined {
    return this.keys.get(id);
  }
}

export function isSameMac(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** HKDF-SHA-256 (RFC 5869), without a salt: peppers are random. */
function deriveKey(pepper: string): EventKey {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'svc-registry security events', 32));
  return { id: pepperIdOf(pepper), mac: (content) => createHmac('sha256', key).update(content).digest() };
}
