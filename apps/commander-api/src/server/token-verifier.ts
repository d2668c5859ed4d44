import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenVerifier } from '@svc/service-kit';
import { CommanderError } from '../errors/commander-error.js';
import type { TokenSettings } from '../config/commander-config.js';
import type { LibraryPrincipal } from '../libraries/library-access.js';

/** Scopes that routes may require. The token of `[http]` has all of them. */
const COMMANDER_SCOPES = [
  'passwords:encrypt',
  'library:read',
  'library:write',
  'iplookup:read',
  'iplookup:write',
  'metrics:read',
] as const;

/** A token of `[token:<name>]` with its value. */
export type BoundToken = Pick<TokenSettings, 'name' | 'libraries' | 'scopes'> & { readonly value: string };

/** Verifies tokens by their hashes. */
export class CommanderTokenVerifier implements TokenVerifier {
  private readonly known: readonly { readonly hash: Buffer; readonly principal: LibraryPrincipal }[];

  /**
   * @param token with full access
   * @throws {CommanderError} configuration, if two tokens are the same, since their rights differ
   */
  constructor(token: string, bound: readonly BoundToken[] = []) {
    const values = new Map([[token, 'http']]);
    for (const { value, name } of bound) {
      const other = values.get(value);
      if (other !== undefined)
        throw new CommanderError(
          'configuration',
          `token:${name} has the same token as ${other}; create another one with openssl rand -hex 32`,
        );
      values.set(value, `token:${name}`);
    }
    this.known = [
      { hash: sha256(token), principal: principal('token') },
      ...bound.map(({ name, value, libraries, scopes }) => ({
        hash: sha256(value),
        principal: { id: `token:${name}`, name, scopes, libraries },
      })),
    ];
  }

  async verify(token: string): Promise<LibraryPrincipal | undefined> {
    const presented = sha256(token);
    return this.known.find(({ hash }) => timingSafeEqual(presented, hash))?.principal;
  }
}

/** `http.auth = none`: every request that passes the cross-site check has all scopes. */
export class OpenAccess implements TokenVerifier {
  readonly anonymous = principal('anonymous');

  async verify(): Promise<LibraryPrincipal> {
    return this.anonymous;
  }
}

function principal(name: string): LibraryPrincipal {
  return { id: name, name, scopes: COMMANDER_SCOPES, libraries: 'all' };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
