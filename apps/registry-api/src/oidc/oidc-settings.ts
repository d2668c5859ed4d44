import { isLoopbackHost } from '@svc/foundation';
import { parseSessionExpiration } from '@svc/client-metadata';
import { words } from '@svc/service-kit/environment';
import { z } from 'zod';
import { parseSelectorMap, type SelectorMap } from './granted-selector.js';
import { parseScopeMap, SAME_SCOPES, type ScopeMap } from './granted-scopes.js';

/** The issuer whose access tokens are accepted, and what they must contain. */
export interface OidcSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  /** Name of a claim, or a JSON pointer to one. */
  readonly scopeClaim: string;
  readonly scopeMap: ScopeMap;
  /** Name of a claim, or a JSON pointer to one. */
  readonly selectorClaim: string;
  /** Absent: every access token reaches all Clients. */
  readonly selectorMap?: SelectorMap | undefined;
}

/** Asymmetric algorithms; signatures with a shared key (HS256, ...) are never accepted. */
const ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => !/[?#]/.test(url), 'must have neither a query nor a fragment')
  .refine(
    (url) =>
      !URL.canParse(url) || new URL(url).protocol === 'https:' || isLoopbackHost(new URL(url).hostname),
    'must be an https URL, except on a loopback host',
  );

/** A list of entries that `parse` reads. */
function mapping<Map>(parse: (entries: readonly string[]) => Map) {
  return words.transform((entries, context): Map => {
    try {
      return parse(entries);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });
}

/** In seconds. */
export const lifetime = z.string().transform((text, context): number => {
  const seconds = parseSessionExpiration(text);
  // A number alone would be seconds, but is more often meant as days.
  if (typeof seconds === 'number' && /[a-z]$/.test(text)) return seconds;
  context.addIssue({ code: 'custom', message: 'must be a number and a unit, such as 90d, up to 10y' });
  return z.NEVER;
});

/** The variables that configure the issuer; the registry's schema spreads them. */
export const oidcEnvironment = {
  OIDC_ISSUER: issuer.optional(),
  OIDC_AUDIENCE: z.string().min(1).optional(),
  OIDC_ALGORITHMS: words
    .refine(areAlgorithms, `must be some of ${ALGORITHMS.join(', ')}`)
    .default(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']),
  OIDC_SCOPE_CLAIM: z.string().min(1).default('scope'),
  OIDC_SCOPE_MAP: mapping(parseScopeMap).default(SAME_SCOPES),
  /** Restricts access tokens to the Clients with certain labels, by a claim such as the user's groups. */
  OIDC_SELECTOR_CLAIM: z.string().min(1).default('groups'),
  OIDC_SELECTOR_MAP: mapping(parseSelectorMap).optional(),
  /** The longest lifetime of an API token created with an access token of the issuer. */
  OIDC_TOKEN_MAX_LIFETIME: lifetime.default(90 * 24 * 3600),
};

function areAlgorithms(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => ALGORITHMS.includes(name));
}

/** @returns `undefined` when no issuer is configured */
export function oidcSettingsOf(
  config: z.infer<z.ZodObject<typeof oidcEnvironment>>,
): OidcSettings | undefined {
  if (config.OIDC_ISSUER === undefined || config.OIDC_AUDIENCE === undefined) return undefined;
  return {
    issuer: config.OIDC_ISSUER,
    audience: config.OIDC_AUDIENCE,
    algorithms: config.OIDC_ALGORITHMS,
    scopeClaim: config.OIDC_SCOPE_CLAIM,
    scopeMap: config.OIDC_SCOPE_MAP,
    selectorClaim: config.OIDC_SELECTOR_CLAIM,
    selectorMap: config.OIDC_SELECTOR_MAP,
  };
}
