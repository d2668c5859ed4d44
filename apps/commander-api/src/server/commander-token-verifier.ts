import { createHash, timingSafeEqual } from 'node:crypto';
import type { Principal, TokenVerifier } from '@svc/service-kit';
import { COMMANDER_SCOPES } from './scopes.js';

/** Knows the commander's one token, by its hash. */
export class CommanderTokenVerifier implements TokenVerifier {
  private readonly hash: Buffer;

  constructor(token: string) {
    this.hash = sha256(token);
  }

  async verify(token: string): Promise<Principal | undefined> {
    return timingSafeEqual(sha256(token), this.hash) ? principal('token') : undefined;
  }
}

/** `http.auth = none`: every request that the cross-site check let through may do everything. */
export class OpenAccess implements TokenVerifier {
  readonly anonymous = principal('anonymous');

  async verify(): Promise<Principal> {
    return this.anonymous;
  }
}

function principal(name: string): Principal {
  return { id: name, name, scopes: COMMANDER_SCOPES };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
