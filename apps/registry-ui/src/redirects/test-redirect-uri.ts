import { type ClientMetadata, matchRedirectUri, type RedirectMatch } from '@svc/client-metadata';

type Method = ClientMetadata['redirect_uri_validation_method'];

/** The ways of comparing, the safest first. */
export const METHODS: readonly Method[] = ['full_match', 'prefix_match', 'none'];

/** What a redirect URI is compared with. */
export interface Registered {
  readonly redirect_uris: readonly string[];
  readonly application_type: string;
}

/** What each way of comparing thinks of one redirect URI. */
export function testRedirectUri(
  requested: string,
  { redirect_uris, application_type }: Registered,
): { readonly method: Method; readonly match: RedirectMatch }[] {
  return METHODS.map((method) => ({
    method,
    match: matchRedirectUri(requested, redirect_uris, method, application_type),
  }));
}

/** Where a redirect URI parts from the registered one that it has most in common with. */
export interface Divergence {
  readonly registered: string;
  /** How many characters the two begin with alike. */
  readonly common: number;
}

/** @returns nothing when no registered URI begins alike beyond its scheme */
export function findDivergence(requested: string, registered: readonly string[]): Divergence | undefined {
  let best: Divergence | undefined;
  for (const uri of registered) {
    const common = commonLength(requested, uri);
    if (common > (best?.common ?? schemeLength(uri))) best = { registered: uri, common };
  }
  return best;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** `https://` tells nothing of a likeness. */
function schemeLength(uri: string): number {
  return /^[^:]*:\/*/.exec(uri)?.[0].length ?? 0;
}
