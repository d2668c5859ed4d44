import { createHash, timingSafeEqual } from 'node:crypto';
import type { TokenVerifier } from '@svc/service-kit';
import { COMMANDER_SCOPES, type CommanderPrincipal } from '../access/caller.js';
import { CommanderError } from '../errors/commander-error.js';
import type { TokenSettings } from '../config/commander-config.js';

/** A token of `[token:<name>]` with its value. */
export type BoundToken = Pick<TokenSettings, 'name' | 'libraries' | 'scopes'> & { readonly value: string };

/** Tokens that may change while the server runs. */
interface OtherTokens {
  verify(token: string): CommanderPrincipal | undefined;
}

/** Verifies tokens by their hashes: those of the configuration, then others. */
export class CommanderTokenVerifier implements TokenVerifier {
  private readonly known: readonly { readonly hash: Buffer; readonly principal: CommanderPrincipal }[];

  /**
   * @param token with full access
   * @param bound to some libraries, in sections `[token:<name>]`; those that may read lookups may read all
   * @throws {CommanderError} configuration, if two tokens are the same, since their rights differ
   */
  constructor(
    token: string,
    bound: readonly BoundToken[] = [],
    private readonly others?: OtherTokens,
  ) {
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
        principal: { id: `token:${name}`, name, scopes, libraries, lookups: 'all' as const },
      })),
    ];
  }

  async verify(token: string): Promise<CommanderPrincipal | undefined> {
    const presented = sha256(token);
    const known = this.known.find(({ hash }) => timingSafeEqual(presented, hash))?.principal;
    return known ?? this.others?.verify(token);
  }
}

/** `http.auth = none`: every request that passes the cross-site check has all scopes. */
export class OpenAccess implements TokenVerifier {
  readonly anonymous = { ...principal('anonymous'), isAnonymous: true } as const;

  async verify(): Promise<CommanderPrincipal> {
    return this.anonymous;
  }
}

function principal(name: string): CommanderPrincipal {
  return { id: name, name, scopes: COMMANDER_SCOPES, libraries: 'all', lookups: 'all' };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
