import type { ClientMetadata } from '../fields/client-metadata.js';
import type { Replay } from './replay.js';

/** What is recommended. */
export const RECOMMENDATION_KINDS = [
  'disable',
  'remove_redirect_uris',
  'require_s256',
  'retire_secrets',
  'use_full_match',
  'use_prefix_match',
] as const;
export type RecommendationKind = (typeof RECOMMENDATION_KINDS)[number];

/** A redirect URI, an origin or a PKCE method that requests used. */
export interface SeenValue {
  readonly value: string;
  readonly count: number;
  readonly lastAt: Date;
}

/** The evidence for a recommendation. */
export interface Evidence {
  /** Accepted requests. */
  readonly requests: number;
  /** Accepted checks of secrets. */
  readonly secretChecks: number;
  /** Requests and secrets that were refused. */
  readonly refused: number;
  readonly lastUsedAt: Date | null;
  /** What was used, the most frequent first. */
  readonly seen: readonly SeenValue[];
  /** What was not used: redirect URIs, or the last characters of secrets. */
  readonly unused: readonly string[];
}

/** The request that applies a recommendation. */
export type RecommendedChange =
  | { readonly action: 'patch'; readonly patch: Partial<ClientMetadata> }
  | { readonly action: 'disable' | 'reset_secret' };

/** A change that refuses no recorded request. */
export interface Recommendation {
  readonly kind: RecommendationKind;
  readonly change: RecommendedChange;
  readonly evidence: Evidence;
  readonly replay: Replay;
}
