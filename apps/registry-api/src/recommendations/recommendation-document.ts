import type { ClientMetadata, Recommendation, RecommendationKind } from '@svc/client-metadata';
import { toEntityTag } from '../http/conditional-requests.js';
import type { ExaminedClient } from './client-examiner.js';
import type { ObservedDays } from './client-observer.js';
import type {
  RecommendationDocument,
  RecommendationEvidence,
  RecommendedRequest,
} from './recommendations.dto.js';

/** Values of a list. */
const MOST_LISTED = 200;

/** A replaced secret is revoked at once; the one that replaces it ends after this time. In seconds. */
const RETIRED_AFTER = 1;

/** Why, in one line. */
const REASONS: Readonly<Record<RecommendationKind, (evidence: Recommendation['evidence']) => string>> = {
  disable: () => 'no request and no secret has been accepted',
  remove_redirect_uris: ({ unused: { length } }) =>
    length === 1 ? '1 redirect URI has not been used' : `${length} redirect URIs have not been used`,
  require_s256: () => 'all requests have used S256',
  retire_secrets: () => 'requests have been accepted, but no secret has been checked',
  use_full_match: ({ requests }) => `${allHave(requests)} used a registered URI exactly`,
  use_prefix_match: ({ requests }) => `${allHave(requests)} used the origins of the proposed redirect URIs`,
};

function allHave(requests: number): string {
  return requests === 1 ? 'the only request has' : `all ${requests} requests have`;
}

export function toRecommendationDocuments(
  { client, recommendations = [] }: ExaminedClient,
  days: ObservedDays,
): RecommendationDocument[] {
  return recommendations.map(({ kind, change, evidence, replay }) => ({
    client_id: client.clientId,
    client_name: client.metadata.client_name,
    kind,
    reason: `${REASONS[kind](evidence)} since ${days.from}`,
    etag: toEntityTag(client.revision),
    request: toRequest(client, change),
    evidence: toEvidence(evidence, days),
    replay,
  }));
}

function toRequest(
  { clientId, metadata }: ExaminedClient['client'],
  change: Recommendation['change'],
): RecommendedRequest {
  const path = `/client/${encodeURIComponent(clientId)}`;
  switch (change.action) {
    case 'patch':
      return {
        method: 'PATCH',
        path,
        body: { ...change.patch },
        replaces: replacedBy(change.patch, metadata),
      };
    case 'disable':
      return { method: 'POST', path: `${path}/disable` };
    case 'reset_secret':
      return { method: 'POST', path: `${path}/reset_secret`, body: { expires_in: RETIRED_AFTER } };
  }
}

function replacedBy(patch: Partial<ClientMetadata>, metadata: ClientMetadata): Partial<ClientMetadata> {
  const names = Object.keys(patch) as (keyof ClientMetadata)[];
  return Object.fromEntries(names.map((name) => [name, metadata[name]])) as Partial<ClientMetadata>;
}

function toEvidence(
  { requests, secretChecks, refused, lastUsedAt, seen, unused }: Recommendation['evidence'],
  { from, to }: ObservedDays,
): RecommendationEvidence {
  return {
    ...{ from, to, requests, secret_checks: secretChecks, refused },
    ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
    seen: seen
      .slice(0, MOST_LISTED)
      .map(({ value, count, lastAt }) => ({ value, count, last_at: lastAt.toISOString() })),
    unused,
  };
}
