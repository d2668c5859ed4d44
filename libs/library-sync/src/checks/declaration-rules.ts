import { wildcardExpression } from '@svc/foundation';

/** Kinds of YAML nodes. */
export type TagKind = 'scalar' | 'sequence' | 'mapping';

export interface SchemaRule {
  /** gitignore pattern of the files that it applies to. */
  readonly files: string;
  /** For messages. */
  readonly name: string;
  /** JSON Schema, draft 2020-12. */
  readonly schema: unknown;
}

export interface LookupRules {
  /** Names of keys, with `*`, whose values name lookups. */
  readonly keys: readonly string[];
  /** Lookups that exist outside the library. */
  readonly known: readonly string[];
}

/** An operator's rules for declarations, beyond well-formed YAML. Plain data, so that it can be passed to threads. */
export interface DeclarationRules {
  readonly schemas: readonly SchemaRule[];
  /** The allowed tags, without `!`, and the kind of node that each takes; absent if all are allowed. */
  readonly tags?: Readonly<Record<string, TagKind>> | undefined;
  /** Tags, without `!`, whose value is the path of another file in the library. */
  readonly includes: readonly string[];
  /** Names of keys, with `*`, below which every value must be encrypted. */
  readonly sealed: readonly string[];
  readonly lookups?: LookupRules | undefined;
}

/** A name of keys, with `*` for any characters; case does not matter. */
export const keyPattern = (pattern: string): RegExp =>
  wildcardExpression(pattern, ['*'], { ignoresCase: true });

/** True if files that passed these rules pass them again, whatever happens to other files. */
export const isIndependent = (rules: DeclarationRules | undefined): boolean =>
  !rules?.includes.length && !rules?.lookups;
