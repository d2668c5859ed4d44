import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Principal, TokenVerifier } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { LastUseRecorder } from '../database/last-use-recorder.js';
import { hashTokenValue, TOKEN_BY_HASH } from './tokens.repository.js';

/** How long another replica may still accept a revoked token, in milliseconds. */
const CACHE_MS = 1_000;

/** Tokens in the cache. */
const MAX_CACHED = 10_000;

interface Cached {
  /** When it expires. */
  readonly until: number;
  /** A promise during the query. */
  readonly principal: Principal | Promise<Principal | undefined>;
}

/** Verifies the registry's own API tokens. Looks them up by hash, so that no secrets are compared. */
@Injectable()
export class ApiTokenVerifier implements TokenVerifier, OnModuleDestroy {
  private readonly cache = new Map<string, Cached>();
  private readonly uses: LastUseRecorder;

  constructor(private readonly dataSource: DataSource) {
    this.uses = new LastUseRecorder(dataSource, { table: 'api_token', idType: 'text', stepMs: 60_000 });
  }

  async onModuleDestroy(): Promise<void> {
    await this.uses.close();
  }

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
    const [token] = await TOKEN_BY_HASH.find(this.dataSource, [hash]);
    if (!token || (token.expiresAt && token.expiresAt <= new Date())) return undefined;
    this.uses.record(token);
    return { id: token.id, name: token.name, scopes: token.scopes };
  }
}

/** Nest's injection token for the verifier of the issuer's access tokens; `undefined` when no issuer is configured. */
export const ACCESS_TOKENS = Symbol('AccessTokens');

/** The compact serialization of a signed JWT (RFC 7515 section 7.1): its header, a JSON object, begins with `{"`. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/** Accepts the registry's own API tokens and, where an issuer is configured, its access tokens. */
export class CompositeTokenVerifier implements TokenVerifier {
  /** @param accessTokens absent when no issuer is configured */
  constructor(
    private readonly apiTokens: TokenVerifier,
    private readonly accessTokens?: TokenVerifier,
  ) {}

  verify(token: string): Principal | undefined | Promise<Principal | undefined> {
    const { accessTokens } = this;
    if (!accessTokens || !JWT.test(token)) return this.apiTokens.verify(token);
    return this.verifyEither(token, accessTokens);
  }

  /** The issuer's first, so that a request with an access token costs no query. */
  private async verifyEither(token: string, accessTokens: TokenVerifier): Promise<Principal | undefined> {
    return (await accessTokens.verify(token)) ?? this.apiTokens.verify(token);
  }
}
