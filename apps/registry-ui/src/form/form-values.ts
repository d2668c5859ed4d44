import type { SupportedField } from '@svc/client-metadata';

/** What the inputs of a form hold, by the names of the fields: texts, lists of texts, booleans. */
export type FormValues = Record<string, unknown>;

/** The fields that a form of this kind has inputs for. */
export function inputFields(fields: readonly SupportedField[], kind: 'register' | 'edit'): SupportedField[] {
  return fields.filter(
    ({ editable }) => editable === 'always' || (kind === 'register' && editable === 'registration'),
  );
}

/** The state of a form's inputs: what `source` has, else the defaults, else nothing. */
export function toFormValues(
  fields: readonly SupportedField[],
  source: Readonly<Record<string, unknown>>,
): FormValues {
  return Object.fromEntries(
    fields.map((field) => [field.name, inputValue(field, source[field.name] ?? field.default)]),
  );
}

/**
 * The body that a form's inputs come to; what is empty is left out, which brings back its default.
 *
 * @param source where the inputs began: a value that an input shows as text stays as it was when the text did
 */
export function toBody(
  fields: readonly SupportedField[],
  values: FormValues,
  source: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const members = fields.map(({ name }) => [name, bodyValue(values[name], source[name])] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Compares values of inputs, or of bodies: lists by what they hold. */
export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function inputValue({ type, allowed_values }: SupportedField, value: unknown): unknown {
  if (type === 'boolean') return value === true;
  if (type !== 'string[]') return value === undefined ? '' : String(value);
  const items = Array.isArray(value) ? value.map(String) : [];
  return items.length === 0 && allowed_values === undefined ? [''] : items;
}

function bodyValue(value: unknown, source: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => String(item).trim()).filter((item) => item !== '');
  // A switch that was never touched says nothing, where nothing had been said.
  if (value === false && source === undefined) return undefined;
  if (typeof value !== 'string') return value;
  if (typeof source === 'number' && String(source) === value) return source;
  const text = value.trim();
  return text === '' ? undefined : text;
}
