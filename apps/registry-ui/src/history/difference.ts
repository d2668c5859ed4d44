import { metadataNames } from '@svc/client-metadata';
import type { FeatureField } from '../api/client-documents.js';
import { toEntries } from '../metadata/map-entries.js';

/** A changed field; a side is absent if there was no value. */
export interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface DifferenceLine {
  readonly sign: 'removed' | 'added';
  readonly value: string;
}

/** What a change removed and added. For lists, only items that are not in both, unless just the order changed. */
export function linesOf({ before, after }: FieldChange): DifferenceLine[] {
  const [old, fresh] = [textsOf(before), textsOf(after)];
  const gone = old.filter((value) => !fresh.includes(value));
  const come = fresh.filter((value) => !old.includes(value));
  const reordered = gone.length + come.length === 0;
  return [
    ...(reordered ? old : gone).map((value) => ({ sign: 'removed' as const, value })),
    ...(reordered ? fresh : come).map((value) => ({ sign: 'added' as const, value })),
  ];
}

/**
 * What putting a version back changes. Settings that it lacks get their present defaults, as in every replacement; those
 * without a default are removed.
 */
export function versionDifference(
  current: object,
  version: object,
  fields: readonly Pick<FeatureField, 'name' | 'default'>[],
): FieldChange[] {
  const defaults = fields.filter((field) => field.default !== undefined);
  const restored = {
    ...Object.fromEntries(defaults.map((field) => [field.name, field.default])),
    ...version,
  };
  const before = new Map<string, unknown>(Object.entries(current));
  const after = new Map<string, unknown>(Object.entries(restored));
  return metadataNames({ ...current, ...restored })
    .map((field) => ({ field, before: before.get(field), after: after.get(field) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function textsOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return toEntries(value) ?? [String(value)];
  // An empty list differs from no list.
  return value.length === 0 ? ['[]'] : value.map(textOf);
}

/** An object as its members, such as a temporary redirect URI with its end. */
function textOf(item: unknown): string {
  return toEntries(item)?.join(', ') ?? String(item);
}
