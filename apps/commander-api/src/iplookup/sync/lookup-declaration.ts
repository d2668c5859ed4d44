import type { MergeRule, SourceTerms } from '@svc/iplookup-core';
import type { BuildFlags } from '../build/build-flags.js';
import type { GuardFlags } from '../build/guard-flags.js';
import type { NamedJoin } from '../build/join-flag.js';
import type { RemoteSource } from './remote-source.js';

/** How a layer's source is read: like `from-csv`, `from-vendor` or `from-maxmind`, or as a lookup file. */
export const LAYER_KINDS = ['csv', 'vendor', 'maxmind', 'lookup'] as const;

/** A declared source of a lookup's values. */
export interface LayerDeclaration {
  /**
   * A file in `iplookup.source_path`, or a path with a folder; for a URL, its name in messages, where a digest replaces the
   * query, which may contain a key.
   */
  readonly source: string;
  readonly remote?: RemoteSource;
  readonly kind: (typeof LAYER_KINDS)[number];
  readonly merge: MergeRule;
  /** Files to join to the source, found like it. */
  readonly joins: readonly NamedJoin[];
  /** How the source is read; empty for a lookup file. */
  readonly flags: BuildFlags;
  /** As declared, or of a vendor's free file; for the manifest. */
  readonly terms: SourceTerms;
}

export interface LookupDeclaration {
  readonly name: string;
  readonly gzip: boolean;
  /** Besides the usual ones; false for none at all. */
  readonly guards: GuardFlags | false;
  /** The lowest first. */
  readonly layers: readonly LayerDeclaration[];
}

/** The files that a layer is built from. */
export function filesOf({ source, joins }: LayerDeclaration): readonly string[] {
  return [source, ...joins.map(({ name }) => name)];
}
