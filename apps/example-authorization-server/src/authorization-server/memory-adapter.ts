import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

/** More sessions, codes and tokens than the example needs. */
const MAX_STORED = 10_000;

const stored = new LRUCache<string, AdapterPayload>({ max: MAX_STORED });

/**
 * Stores all of oidc-provider's data except Clients, in memory. A server with several processes, or one that is
 * restarted, needs a database: oidc-provider lists adapters for many.
 */
export class MemoryAdapter implements Adapter {
  constructor(private readonly model: string) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    stored.set(this.keyOf(id), payload, { ttl: expiresIn === undefined ? 0 : expiresIn * 1000 });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return stored.get(this.keyOf(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.first((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.first((payload) => payload.userCode === userCode);
  }

  /** Marks a code as used, so that reuse is detected (RFC 6749 section 4.1.2). */
  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    stored.delete(this.keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.entries()) if (payload.grantId === grantId) stored.delete(key);
  }

  private async first(isWanted: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> {
    return this.entries().find(([, payload]) => isWanted(payload))?.[1];
  }

  private entries(): [string, AdapterPayload][] {
    return [...stored.entries()].filter(([key]) => key.startsWith(this.keyOf('')));
  }

  private keyOf(id: string): string {
    return `${this.model}:${id}`;
  }
}
