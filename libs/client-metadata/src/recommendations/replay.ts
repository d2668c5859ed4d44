import type { ClientMetadata } from '../fields/client-metadata.js';
import { includesCode, type RequestedMetadata } from '../requests/authorization-request.js';
import { matchRedirectUri } from '../uri/match-redirect-uri.js';
import type { RequestUse } from '../usage/client-use.js';
import type { ObservedUse } from './observation.js';

/** What a change would have done to the recorded requests. */
export interface Replay {
  /** Recorded requests that were accepted, and that the Client as it is now accepts. */
  readonly requests: number;
  /** Those that the changed Client would refuse, or might refuse: some are recorded only in part. */
  readonly refused: number;
}

/** Compares what a Client accepts before and after a change, request by request. */
export function replay(
  accepted: readonly ObservedUse<RequestUse>[],
  before: RequestedMetadata,
  patch: Partial<ClientMetadata>,
): Replay {
  const after = { ...before, ...patch };
  const current = accepted.filter(({ use }) => accepts(use, before) !== false);
  const comparesAlike =
    patch.redirect_uris === undefined && patch.redirect_uri_validation_method === undefined;
  const refused = current.filter(({ use }) => !(accepts(use, after) ?? comparesAlike));
  return { requests: totalOf(current), refused: totalOf(refused) };
}

export function totalOf(uses: readonly ObservedUse[]): number {
  return uses.reduce((sum, { count }) => sum + count, 0);
}

/** @returns undefined: it depends on what is not recorded */
function accepts(use: RequestUse, metadata: RequestedMetadata): boolean | undefined {
  const { code_challenge_method: method } = metadata;
  const isNeedless = use.pkce === 'none' && !includesCode(use.response_type);
  // Servers without plain, such as oidc-provider, accept S256 in its place.
  const isMet = use.pkce === method || (method === 'plain' && use.pkce === 'S256');
  if (method !== 'none' && !isMet && !isNeedless) return false;
  if (metadata.redirect_uri_validation_method === 'none') return true;
  return use.others ? undefined : acceptsUri(use, metadata);
}

/** For a URI that matched by prefix, only the prefix is recorded. */
function acceptsUri(
  { redirect_uri: uri, match, origin, is_clean: isClean }: RequestUse,
  {
    redirect_uris: registered,
    redirect_uri_validation_method: method,
    application_type: type,
  }: RequestedMetadata,
): boolean {
  const isFull = method === 'full_match';
  const isRegistered = (known: string) => matchRedirectUri(known, registered, method, type).matches;
  if (uri === undefined) return !isFull && isClean === true && origin !== undefined && isRegistered(origin);
  if (match === 'exact') return isRegistered(uri);
  if (match === 'implied') return isFull && registered.length === 1 && registered[0] === uri;
  if (match === 'loopback_port') return isFull && type === 'native' && isRegistered(uri);
  return !isFull && isRegistered(uri);
}
