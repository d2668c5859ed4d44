import { Injectable } from '@nestjs/common';
import type { Principal, TokenVerifier } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { ApiToken } from './api-token.entity.js';
import { hashTokenValue } from './token-value.js';

/** How long another replica may still accept a revoked token, in milliseconds. */
const CACHE_MS = 1_000;

/** Tokens in the cache. */
const MAX_CACHED = 10_000;

/** `last_used_at` is written at most this often, in milliseconds. */
const LAST_USED_STEP_MS = 60_000;

interface Cached {
  /** When it expires. */
  readonly until: number;
  /** A promise during the query. */
  readonly principal: Principal | Promise<Principal | undefined>;
}

/** Verifies the registry's own API tokens. Looks them up by hash, so that no secrets are compared. */
@Injectable()
export class ApiTokenVerifier implements TokenVerifier {
  private readonly cache = new Map<string, Cached>();

  constructor(private readonly dataSource: DataSource) {}

  verify(token: string): Principal | Promise<Principal | undefined> {
    const hash = hashTokenValue(token);
    const key = hash.toString('latin1');
    const cached = this.cache.get(key);
    if (cached && cached.until > Date.now()) return cached.principal;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    const asked: Cached = { until: Date.now() + CACHE_MS, principal: this.find(hash) };
    this.cache.set(key, asked);
    return this.settle(key, asked);
  }

  /** Replaces the promise by its result, unless the token was revoked in between. */
  private async settle(key: string, asked: Cached): Promise<Principal | undefined> {
    let found: Principal | undefined;
    try {
      found = await asked.principal;
    } finally {
      if (this.cache.get(key) === asked) {
        // Invalid tokens must not displace valid ones.
        if (found) this.cache.set(key, { until: asked.until, principal: found });
        else this.cache.delete(key);
      }
    }
    return found;
  }

  /** Drops a revoked token from the cache. */
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
