import { jsonOrText } from '@svc/foundation';
import type { FeatureField } from '../api/client-documents.js';
import { fromEntries, toEntries } from '../metadata/map-entries.js';

/** The state of a form's inputs by field name: strings, lists of strings, booleans. */
export type FormValues = Record<string, unknown>;

/** The fields that have inputs in this kind of form. */
export function inputFields(fields: readonly FeatureField[], kind: 'register' | 'edit'): FeatureField[] {
  return fields.filter(
    ({ editable }) => editable === 'always' || (kind === 'register' && editable === 'registration'),
  );
}

/** Initial input values: from `source`, else the field's default. */
export function toFormValues(
  fields: readonly FeatureField[],
  source: Readonly<Record<string, unknown>>,
): FormValues {
  return Object.fromEntries(
    fields.map((field) => [field.name, inputValue(field, source[field.name] ?? field.default)]),
  );
}

/**
 * The request body for a form's inputs. Empty values are omitted, which restores their defaults.
 *
 * @param source the initial values: one shown as text keeps its type if the text is unchanged
 */
export function toBody(
  fields: readonly FeatureField[],
  values: FormValues,
  source: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const members = fields.map((field) => {
    const value = bodyValue(values[field.name], source[field.name]);
    if (field.type === 'object')
      return [field.name, typeof value === 'string' ? jsonOrText(value) : value] as const;
    return [field.name, Array.isArray(value) ? listValue(field, value) : value] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The JSON merge patch (RFC 7396) that turns a client's metadata into `body`. */
export function patchOf(
  fields: readonly FeatureField[],
  client: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const before = toBody(fields, toFormValues(fields, client), client);
  const changed = fields.filter(({ name }) => !sameValue(before[name], body[name]));
  return Object.fromEntries(
    changed.map(({ name, type }) => [
      name,
      type === 'map' ? replacedMap(before[name], body[name]) : (body[name] ?? null),
    ]),
  );
}

/** A merge patch merges objects: entries that are gone must be named. */
function replacedMap(before: unknown, after: unknown): unknown {
  if (after === undefined) return null;
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after as object, key));
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...(after as object) };
}

/** Compares input or body values; lists by content. */
export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function inputValue({ type, allowed_values }: FeatureField, value: unknown): unknown {
  if (type === 'boolean') return value === true;
  if (type === 'object') return value === undefined ? '' : formatJson(value);
  if (type !== 'string[]' && type !== 'map') return value === undefined ? '' : String(value);
  const items = Array.isArray(value) ? value.map(String) : (toEntries(value) ?? []);
  return items.length === 0 && allowed_values === undefined ? [''] : items;
}

/** An object is edited as JSON. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** An empty list counts as no value where the field may be omitted. */
function listValue({ type, required, default: standard }: FeatureField, items: readonly string[]): unknown {
  if (items.length === 0 && !required && standard === undefined) return undefined;
  return type === 'map' ? fromEntries(items) : items;
}

function bodyValue(value: unknown, source: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => String(item).trim()).filter((item) => item !== '');
  // An untouched switch sends nothing if nothing was set.
  if (value === false && source === undefined) return undefined;
  if (typeof value !== 'string') return value;
  if (typeof source === 'number' && String(source) === value) return source;
  const text = value.trim();
  return text === '' ? undefined : text;
}
