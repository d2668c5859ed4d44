import { isLoopbackHost } from '@svc/foundation';
import type { Capabilities } from '../fields/capabilities.js';
import { usesSecret } from '../fields/authentication-methods.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { includesCode } from '../requests/authorization-request.js';
import { splitUri } from '../uri/split-uri.js';
import type { RequestUse } from '../usage/client-use.js';
import { isUseRecorded } from './is-use-recorded.js';
import { isRequest, type ObservedUse, type Subject, unusedUris } from './observation.js';
import type { RecommendationKind, RecommendedChange } from './recommendation.js';

/** A change that a rule proposes, and the evidence for it. */
export interface Proposal {
  readonly change: RecommendedChange;
  /** What was used instead. */
  readonly seenIn?: (use: RequestUse) => string | undefined;
  readonly unused?: readonly string[];
}

/** @returns undefined: nothing to recommend */
export type Rule = (subject: Subject, capabilities: Capabilities) => Proposal | undefined;

/** A refusal of the right method by a Client that requires the weaker one. */
const REFUSED_METHOD = 'pkce_method_not_allowed';

/** By kind. */
export const RULES: Readonly<Record<RecommendationKind, Rule>> = {
  disable: disableUnused,
  remove_redirect_uris: removeRedirectUris,
  require_s256: requireS256,
  retire_secrets: retireSecrets,
  use_full_match: useFullMatch,
  use_prefix_match: usePrefixMatch,
};

function disableUnused(subject: Subject, capabilities: Capabilities): Proposal | undefined {
  const isUsed = subject.accepted.length > 0 || subject.secretChecks.length > 0 || hasUsedSecret(subject);
  if (isUsed || subject.wasSwitched) return undefined;
  return leavesTraces(subject, capabilities) ? { change: { action: 'disable' } } : undefined;
}

/** Whether all uses of the Client would be recorded. */
function leavesTraces({ client, observation, changed }: Subject, capabilities: Capabilities): boolean {
  const { sees } = observation;
  if (changed.has('token_endpoint_auth_method') || changed.has('grant_types')) return false;
  const isSeen = sees.requests && (sees.secrets || !usesSecret(client.metadata.token_endpoint_auth_method));
  return isSeen && isUseRecorded(client.metadata, capabilities);
}

function removeRedirectUris(subject: Subject): Proposal | undefined {
  const { metadata } = subject.client;
  const isCompared = metadata.redirect_uri_validation_method !== 'none';
  if (!isCompared || subject.changed.has('redirect_uri_validation_method')) return undefined;
  const unused = unusedUris(subject);
  if (unused.length === 0) return undefined;
  return { change: patched({ redirect_uris: without(unused, metadata) }), seenIn: uriOf, unused };
}

function requireS256(subject: Subject): Proposal | undefined {
  const { client, observation, changed } = subject;
  const isDue = client.metadata.code_challenge_method !== 'S256' && !changed.has('code_challenge_method');
  const requests = observation.uses
    .filter(isRequest)
    .filter(({ use }) => includesCode(use.response_type))
    .filter(({ use }) => use.refusal === undefined || use.refusal === REFUSED_METHOD);
  if (!isDue || requests.length === 0 || requests.some(({ use }) => use.pkce !== 'S256')) return undefined;
  return {
    change: patched({ code_challenge_method: 'S256' }),
    seenIn: ({ pkce, response_type: type }) => (includesCode(type) ? pkce : undefined),
  };
}

/** A Client that is not used at all should rather be disabled. */
function retireSecrets(subject: Subject): Proposal | undefined {
  const { observation, accepted, secretChecks, changed, wasSwitched } = subject;
  const { secrets, from, sees } = observation;
  const isKnown = sees.secrets && !wasSwitched && !changed.has('token_endpoint_auth_method');
  const isUsed = secretChecks.length > 0 || hasUsedSecret(subject);
  const isOld = secrets.length > 0 && secrets.every(({ createdAt }) => createdAt < from);
  if (!isKnown || isUsed || !isOld || accepted.length === 0) return undefined;
  return { change: { action: 'reset_secret' }, unused: secrets.map(({ hint }) => hint) };
}

function useFullMatch(subject: Subject): Proposal | undefined {
  const { client, accepted, changed } = subject;
  if (client.metadata.redirect_uri_validation_method === 'full_match') return undefined;
  const isProven = accepted.length > 0 && accepted.every(isExact);
  if (!isProven || changed.has('redirect_uri_validation_method')) return undefined;
  const unused = unusedUris(subject);
  const patch = {
    redirect_uri_validation_method: 'full_match' as const,
    ...(unused.length > 0 && { redirect_uris: without(unused, client.metadata) }),
  };
  return { change: patched(patch), seenIn: uriOf, unused };
}

/** Paths of URIs that are not registered are not recorded, so the strictest possible comparison is by their origins. */
function usePrefixMatch(subject: Subject): Proposal | undefined {
  const { client, accepted, changed } = subject;
  const { metadata } = client;
  const isDue =
    metadata.redirect_uri_validation_method === 'none' && !changed.has('redirect_uri_validation_method');
  if (!isDue || accepted.length === 0 || accepted.every(isExact)) return undefined;
  const origins = new Set(accepted.flatMap(({ use }) => use.origin ?? []));
  if (metadata.application_type === 'native' && [...origins].some(hasChosenPort)) return undefined;
  const unused = unusedUris(subject);
  const kept = without(unused, metadata);
  const added = [...origins].filter((origin) => !kept.includes(origin)).sort();
  const patch = {
    redirect_uri_validation_method: 'prefix_match' as const,
    redirect_uris: [...kept, ...added],
  };
  return { change: patched(patch), seenIn: uriOf, unused };
}

function isExact({ use }: ObservedUse<RequestUse>): boolean {
  return use.match === 'exact' && use.redirect_uri !== undefined;
}

/** Native applications listen on any free port (RFC 8252 section 7.3): the next one will differ. */
function hasChosenPort(origin: string): boolean {
  const { host = '', port } = splitUri(origin) ?? {};
  return port !== undefined && isLoopbackHost(host);
}

function hasUsedSecret({ observation: { secrets, from } }: Subject): boolean {
  return secrets.some(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt >= from);
}

function uriOf({ redirect_uri: uri, origin }: RequestUse): string | undefined {
  return uri ?? origin;
}

function without(unused: readonly string[], { redirect_uris: uris }: ClientMetadata): readonly string[] {
  return uris.filter((uri) => !unused.includes(uri));
}

function patched(patch: Partial<ClientMetadata>): RecommendedChange {
  return { action: 'patch', patch };
}
