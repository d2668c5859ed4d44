import { memberOf, pointerTo } from '@svc/foundation';
import { REASONS } from './reasons.js';

/** A Client as another product describes it. A Map, so that no name can reach a prototype. */
export type SourceClient = ReadonlyMap<string, unknown>;

/** What becomes of a field of another product. */
export type FieldRule =
  /** Its value becomes that of our field. */
  | { readonly copied: string }
  /** Our field is derived from it, perhaps together with others. */
  | { readonly read: string }
  /** Not imported, for this reason. */
  | { readonly dropped: string }
  /** The Client's secret, or its hash; `either`: a hash if it begins like one. Imported only on request, and never printed. */
  | { readonly secret: 'plain' | 'hash' | 'either' }
  /** Never imported, printed or written. */
  | 'secret'
  /** The product's own bookkeeping, such as times and versions: not reported. */
  | 'record';

/** A field, or one of its values such as `redirectUris/2`, that is not imported. */
export interface DroppedField {
  readonly field: string;
  readonly reason: string;
}

/** Our fields as derived from several of the product's. */
export interface DerivedFields {
  /** By name; undefined leaves the registry's default. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly dropped?: readonly DroppedField[];
}

/** A Client in an export. */
export interface LocatedClient {
  /** JSON pointer into the export. */
  readonly pointer: string;
  readonly value: unknown;
}

/** How one product's Clients become ours. */
export interface ProductMapping {
  /** As the product spells it. */
  readonly title: string;
  /** Completes "it is not ...". */
  readonly expects: string;
  /** @returns undefined if the document is not an export of the product */
  readonly clientsIn: (document: unknown) => readonly LocatedClient[] | undefined;
  /** True if the document says that the product has more Clients than it lists. */
  readonly missing?: (document: unknown) => boolean;
  /** Flattens nested fields. */
  readonly flattened?: (client: SourceClient) => SourceClient;
  /** Why it is not a Client to import, such as another protocol's. */
  readonly skipped?: (client: SourceClient) => string | undefined;
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** The rule of fields without one. Default: dropped. */
  readonly otherFields?: (name: string, client: SourceClient) => FieldRule | undefined;
  /** Values that no single field has; they replace copied ones. @param supports whether the registry has a field of ours */
  readonly derive: (client: SourceClient, supports: (field: string) => boolean) => DerivedFields;
}

/**
 * The elements of a list, or of the first of an object's members that is one.
 *
 * @param single a member that only a lone Client object has
 */
export function listedClients(
  document: unknown,
  members: readonly string[],
  single: readonly string[] = [],
): LocatedClient[] | undefined {
  if (Array.isArray(document))
    return document.map((value: unknown, index) => ({ pointer: pointerTo(index), value }));
  for (const name of members) {
    const list = memberOf(document, name);
    if (Array.isArray(list))
      return list.map((value: unknown, index) => ({ pointer: pointerTo(name, index), value }));
  }
  const isOne = single.some((name) => memberOf(document, name) !== undefined);
  return isOne ? [{ pointer: '', value: document }] : undefined;
}

/** Copies fields that have our names. */
export function sameNames(...names: readonly string[]): Record<string, FieldRule> {
  return Object.fromEntries(names.map((name) => [name, { copied: name }]));
}

/** Drops fields for one reason. */
export function droppedFields(reason: string, ...names: readonly string[]): Record<string, FieldRule> {
  return Object.fromEntries(names.map((name) => [name, { dropped: reason }]));
}

/** Fields that are the product's own bookkeeping. */
export function recordFields(...names: readonly string[]): Record<string, FieldRule> {
  return Object.fromEntries(names.map((name) => [name, 'record' as const]));
}

/** True for `true`, and for the text that some exports write instead. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

/** The text of a field; undefined if it is empty or something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a list; undefined for anything else. */
export function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

/** The URIs without wildcards, of a field of the product's. */
export function withoutWildcards(
  field: string,
  uris: readonly string[],
): { readonly uris: readonly string[]; readonly dropped: readonly DroppedField[] } {
  return {
    uris: uris.filter((uri) => !uri.includes('*')),
    dropped: uris.flatMap((uri, index) =>
      uri.includes('*') ? [{ field: `${field}/${index}`, reason: REASONS.pattern }] : [],
    ),
  };
}
