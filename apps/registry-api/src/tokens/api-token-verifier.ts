import { Injectable } from '@nestjs/common';
import type { Principal, TokenVerifier } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { ApiToken } from './api-token.entity.js';
import { hashTokenValue } from './token-value.js';

/** How long a revoked token may still be taken for valid, in milliseconds. */
const CACHE_MS = 1_000;

/** Tokens remembered at once. */
const MAX_CACHED = 10_000;

/** `last_used_at` is written at most this often, in milliseconds. */
const LAST_USED_STEP_MS = 60_000;

interface CachedPrincipal {
  readonly until: number;
  readonly principal: Promise<Principal | undefined>;
}

/** Knows the registry's own API tokens. Looks one up by its hash; no comparison of secrets takes place. */
@Injectable()
export class ApiTokenVerifier implements TokenVerifier {
  private readonly cache = new Map<string, CachedPrincipal>();

  constructor(private readonly dataSource: DataSource) {}

  async verify(token: string): Promise<Principal | undefined> {
    const hash = hashTokenValue(token);
    const key = hash.toString('latin1');
    const cached = this.cache.get(key);
    if (cached && cached.until > Date.now()) return cached.principal;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    const principal = this.find(hash);
    this.cache.set(key, { until: Date.now() + CACHE_MS, principal });
    try {
      const found = await principal;
      // Guesses must not push out what is asked for all the time.
      if (!found) this.cache.delete(key);
      return found;
    } catch (error) {
      this.cache.delete(key);
      throw error;
    }
  }

  /** The token with this hash was revoked: what is remembered of it does not count any more. */
  forget(hash: Buffer): void {
    this.cache.delete(hash.toString('latin1'));
  }

  private async find(hash: Buffer): Promise<Principal | undefined> {
    const now = new Date();
    const tokens = this.dataSource.getRepository(ApiToken);
    const token = await tokens.findOneBy({ hash });
    if (!token || (token.expiresAt && token.expiresAt <= now)) return undefined;
    if (!token.lastUsedAt || now.getTime() - token.lastUsedAt.getTime() > LAST_USED_STEP_MS) {
      await tokens.update({ id: token.id }, { lastUsedAt: now });
    }
    return { id: token.id, name: token.name, scopes: token.scopes };
  }
}
