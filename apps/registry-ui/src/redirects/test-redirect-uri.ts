import { type ClientMetadata, matchRedirectUri, type RedirectMatch } from '@svc/client-metadata';

type Method = ClientMetadata['redirect_uri_validation_method'];

/** Validation methods, safest first. */
export const METHODS: readonly Method[] = ['full_match', 'prefix_match', 'none'];

export interface Registered {
  readonly redirect_uris: readonly string[];
  readonly application_type: string;
}

/** The result of each validation method. */
export function testRedirectUri(
  requested: string,
  { redirect_uris, application_type }: Registered,
): { readonly method: Method; readonly match: RedirectMatch }[] {
  return METHODS.map((method) => ({
    method,
    match: matchRedirectUri(requested, redirect_uris, method, application_type),
  }));
}

/** Where a redirect URI diverges from the most similar registered one. */
export interface Divergence {
  readonly registered: string;
  /** The length of their common prefix. */
  readonly common: number;
}

/** @returns `undefined` if no registered URI has more than the scheme in common */
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

/** A common scheme does not make URIs similar. */
function schemeLength(uri: string): number {
  return /^[^:]*:\/*/.exec(uri)?.[0].length ?? 0;
}
