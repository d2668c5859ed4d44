import type { Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { validateClient } from '../validation/validate-client.js';
import { type Observation, type ObservedClient, type Subject, subjectOf } from './observation.js';
import {
  type Evidence,
  type Recommendation,
  RECOMMENDATION_KINDS,
  type RecommendationKind,
  type SeenValue,
} from './recommendation.js';
import { replay, totalOf } from './replay.js';
import { type Proposal, RULES } from './rules.js';

/**
 * What can be tightened in a Client without refusing any recorded request. Each change is replayed over the recorded
 * requests, and recommended only if it refuses none of them and the result is a valid Client.
 *
 * @param observation all days of it must be recorded completely
 * @returns by kind, at most one of each; none for a Client that is disabled, or younger than the observation
 */
export function recommend(
  client: ObservedClient,
  observation: Observation,
  capabilities: Capabilities,
): Recommendation[] {
  if (!client.enabled || client.createdAt >= observation.from) return [];
  const subject = subjectOf(client, observation);
  return RECOMMENDATION_KINDS.flatMap((kind) => {
    const proposal = RULES[kind](subject, capabilities);
    return proposal ? proven(kind, proposal, subject, capabilities) : [];
  });
}

function proven(
  kind: RecommendationKind,
  proposal: Proposal,
  subject: Subject,
  capabilities: Capabilities,
): Recommendation[] {
  const { change } = proposal;
  const { metadata } = subject.client;
  const patch = change.action === 'patch' ? change.patch : {};
  const replayed = replay(subject.accepted, metadata, patch);
  const isOffered = replayed.refused === 0 && isValid({ ...metadata, ...patch }, subject, capabilities);
  return isOffered ? [{ kind, change, evidence: evidenceOf(proposal, subject), replay: replayed }] : [];
}

/** When the last temporary redirect URI ended, the Client would be left without any. */
function isValid(metadata: ClientMetadata, { client }: Subject, capabilities: Capabilities): boolean {
  const temporary = client.temporaryUris?.map(({ redirect_uri: uri }) => uri) ?? [];
  const uris = metadata.redirect_uris;
  const isLasting = uris.length === 0 || uris.some((uri) => !temporary.includes(uri));
  return isLasting && validateClient(new Map(Object.entries(metadata)), capabilities).valid;
}

function evidenceOf(
  { seenIn, unused = [] }: Proposal,
  { observation, accepted, secretChecks }: Subject,
): Evidence {
  const refused = observation.uses.filter(({ use }) => use.refusal !== undefined);
  return {
    requests: totalOf(accepted),
    secretChecks: totalOf(secretChecks),
    refused: totalOf(refused),
    lastUsedAt: observation.lastUsedAt,
    seen: seenIn ? seenValues(accepted, seenIn) : [],
    unused,
  };
}

/** The most frequent first. */
function seenValues(accepted: Subject['accepted'], seenIn: NonNullable<Proposal['seenIn']>): SeenValue[] {
  const seen = new Map<string, SeenValue>();
  for (const { use, count, lastAt } of accepted) {
    const value = seenIn(use);
    if (value === undefined) continue;
    const known = seen.get(value) ?? { value, count: 0, lastAt };
    seen.set(value, {
      value,
      count: known.count + count,
      lastAt: lastAt > known.lastAt ? lastAt : known.lastAt,
    });
  }
  return [...seen.values()].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
