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

interface Cached {
  /** When it is to be asked for again. */
  readonly until: number;
  /** A promise while the database is asked. */
  readonly principal: Principal | Promise<Principal | undefined>;
}

/** Knows the registry's own API tokens. Looks one up by its hash; no comparison of secrets takes place. */
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

  /** Puts what was found in the place of the promise, unless the token was revoked in between. */
  private async settle(key: string, asked: Cached): Promise<Principal | undefined> {
    let found: Principal | undefined;
    try {
      found = await asked.principal;
    } finally {
      if (this.cache.get(key) === asked) {
        // Guesses must not push out what is asked for all the time.
        if (found) this.cache.set(key, { until: asked.until, principal: found });
        else this.cache.delete(key);
      }
    }
    return found;
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
