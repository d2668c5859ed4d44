import type { TokenVerifier } from '@svc/service-kit';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { grantedSelector, scopesWithin } from './granted-selector.js';
import { grantedScopes } from './granted-scopes.js';
import { IssuerKeys } from './issuer-keys.js';
import { type OidcSettings, oidcSettingsOf } from './oidc-settings.js';

/** The verifier of the issuer's tokens; `undefined` when no issuer is configured. Contacts the issuer on first use. */
export function openAccessTokens(
  config: Parameters<typeof oidcSettingsOf>[0],
  logger: Logger,
): OidcTokenVerifier | undefined {
  const settings = oidcSettingsOf(config);
  return settings && new OidcTokenVerifier(settings, new IssuerKeys(settings.issuer).keyFor, logger);
}

/** Seconds that the clocks of issuer and registry may differ. */
export const CLOCK_TOLERANCE_S = 30;

/** How much of a key's id is logged, in characters: it comes with the token. */
const MAX_LOGGED_KID = 80;

/** Text that is safe to store and show: no control characters, no unpaired surrogates. */
const CLEAN_TEXT = /^[^\p{C}]{1,255}$/u;

/**
 * Verifies access tokens of an OpenID Connect issuer: unexpired JWTs of the type at+jwt (RFC 9068) with this registry as their
 * audience, signed with a key of the issuer by a listed algorithm.
 */
export class OidcTokenVerifier implements TokenVerifier {
  constructor(
    private readonly settings: OidcSettings,
    private readonly keyFor: JWTVerifyGetKey,
    private readonly logger: Logger,
  ) {}

  /** @throws {RegistryError} `issuer_unavailable` when the issuer's keys cannot be fetched */
  async verify(token: string): Promise<RegistryPrincipal | undefined> {
    try {
      return this.toPrincipal(await this.verified(token));
    } catch (error) {
      if (error instanceof TypeError) return this.refuseKey(token, error);
      if (!(error instanceof errors.JOSEError)) throw error;
      // For the operator, not for the caller. jose's messages name claims, not their values.
      this.logger.debug({ code: error.code, reason: error.message }, 'access token rejected');
      return undefined;
    }
  }

  /** jose throws a TypeError for a key that is too weak or unsuitable for its algorithm. */
  private refuseKey(token: string, { message }: TypeError): undefined {
    const { kid } = decodeProtectedHeader(token);
    const fields = { issuer: this.settings.issuer, kid: kid?.slice(0, MAX_LOGGED_KID), reason: message };
    this.logger.warn(fields, 'access token rejected: the key that it names cannot be used');
    return undefined;
  }

  private async verified(token: string): Promise<JWTPayload> {
    const options = {
      issuer: this.settings.issuer,
      audience: this.settings.audience,
      algorithms: [...this.settings.algorithms],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_S,
    };
    try {
      return (await jwtVerify(token, this.keyFor, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return firstVerified(token, error, options);
    }
  }

  private toPrincipal(claims: JWTPayload): RegistryPrincipal | undefined {
    const { sub, preferred_username: username, client_id: clientId } = claims;
    if (!isClean(sub)) return undefined;
    const name = [username, clientId, sub].find(isClean) ?? sub;
    const { issuer, scopeClaim, scopeMap } = this.settings;
    const selector = grantedSelector(claims, this.settings);
    return {
      id: `oidc:${sub}`,
      name,
      issuer,
      subject: sub,
      selector,
      scopes: scopesWithin(selector, grantedScopes(claims, scopeClaim, scopeMap)),
    };
  }
}

/** A token without a key id is tried with every matching key. */
async function firstVerified(
  token: string,
  candidates: errors.JWKSMultipleMatchingKeys,
  options: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  for await (const key of candidates) {
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      // Other keys may still be usable.
      const isOther = error instanceof errors.JWSSignatureVerificationFailed || error instanceof TypeError;
      if (!isOther) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function isClean(value: unknown): value is string {
  return typeof value === 'string' && CLEAN_TEXT.test(value);
}
