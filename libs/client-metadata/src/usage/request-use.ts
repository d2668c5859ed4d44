import { allowedValues, type Capabilities } from '../fields/capabilities.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import {
  type RequestedMetadata,
  type RequestParameters,
  type RequestValidation,
  single,
  sortWords,
} from '../requests/authorization-request.js';
import { matchRedirectUri } from '../uri/match-redirect-uri.js';
import { nearMiss } from '../uri/near-miss.js';
import type { MatchKind, PkceKind, RequestUse } from './client-use.js';
import { uriOrigin } from './uri-origin.js';

const RESPONSE_TYPES = CLIENT_FIELDS.find(({ name }) => name === 'response_types');

/** @param validation the result of `validateAuthorizationRequest` for this request */
export function requestUse(
  request: RequestParameters,
  validation: RequestValidation,
  metadata: RequestedMetadata,
  capabilities: Capabilities,
): RequestUse {
  const refusal = validation.errors[0]?.rule;
  return {
    kind: 'request',
    ...(refusal !== undefined && { refusal }),
    ...redirectUse(single(request, 'redirect_uri'), validation, metadata),
    pkce: pkceOf(request),
    response_type: countedResponseType(single(request, 'response_type'), metadata, capabilities),
  };
}

type RedirectUse = Pick<RequestUse, 'redirect_uri' | 'match' | 'origin' | 'difference' | 'is_clean'>;

function redirectUse(
  requested: string | undefined,
  { redirect_uri: target, redirect_uri_match: compared }: RequestValidation,
  metadata: RequestedMetadata,
): RedirectUse {
  if (requested === undefined) return target === undefined ? {} : { redirect_uri: target, match: 'implied' };
  const { redirect_uris: registered, application_type: type } = metadata;
  if (compared?.matches === false) return missedUse(requested, registered);
  if (compared === undefined) return { origin: uriOrigin(requested) };
  if (registered.includes(requested)) return { redirect_uri: requested, match: 'exact' };
  if (compared.registered !== undefined) {
    return { redirect_uri: compared.registered, match: compared.rule as MatchKind };
  }
  const origin = uriOrigin(requested);
  const prefix = matchRedirectUri(requested, [...registered, origin], 'prefix_match', type);
  if (prefix.registered === undefined) return { match: 'unchecked', origin, is_clean: false };
  return prefix.registered === origin && !registered.includes(origin)
    ? { match: 'unchecked', origin, is_clean: true }
    : { redirect_uri: prefix.registered, match: 'prefix' };
}

/** A request that matches no registered URI, and the one that it nearly matches. */
function missedUse(requested: string, registered: readonly string[]): RedirectUse {
  const near = nearMiss(requested, registered);
  const origin = uriOrigin(requested);
  return near ? { redirect_uri: near.registered, origin, difference: near.difference } : { origin };
}

function pkceOf(request: RequestParameters): PkceKind {
  if (single(request, 'code_challenge') === undefined) return 'none';
  const method = single(request, 'code_challenge_method') ?? 'plain';
  return method === 'S256' || method === 'plain' ? method : 'other';
}

/** Only names that are known: others are free text. */
export function countedResponseType(
  given: string | undefined,
  { response_types: registered }: Pick<ClientMetadata, 'response_types'>,
  capabilities: Capabilities,
): string {
  if (given === undefined || given === '') return 'missing';
  // Nearly all requests: nothing to sort or look up.
  if (!given.includes(' ') && registered.includes(given)) return given;
  const type = sortWords(given);
  const supported = (RESPONSE_TYPES && allowedValues(RESPONSE_TYPES, capabilities)) ?? [];
  return [...registered, ...supported].some((known) => sortWords(known) === type) ? type : 'other';
}
