import { allowedValues, type Capabilities } from '../fields/capabilities.js';
import type { ClientField } from '../fields/client-field.js';
import { FIELD_FORMATS } from '../fields/field-formats.js';
import { characterViolations, lengthOf } from '../fields/text-violations.js';
import { pointerTo, type RuleViolation, type Violation } from '@svc/foundation';
import { quote } from '../violations/violation.js';
import { parseSessionExpiration } from '../fields/session-expiration.js';
import type { RedirectUriContext } from '../uri/validate-redirect-uri.js';

/** The context in which a value is validated. */
export interface FieldContext extends RedirectUriContext {
  readonly capabilities: Capabilities;
}

/** The value to store, or its violations. */
export type FieldResult = { readonly value: unknown } | { readonly violations: readonly Violation[] };

/** Validates a field's value, or its absence (`undefined`), by its row in the table. */
export function validateField(field: ClientField, value: unknown, context: FieldContext): FieldResult {
  if (value === undefined) {
    return field.required ? refuse(field, 'required', 'is required') : { value: undefined };
  }
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? { value } : refuse(field, 'type', 'must be true or false');
    case 'string[]':
      return validateList(field, value, context);
    case 'number or string':
      return typeof value === 'string'
        ? validateScalar(field, value, context)
        : validateDuration(field, value);
    case 'map':
      return validateMap(field, value, context);
    case 'object':
      return validateObject(field, value);
    case 'string':
      return validateScalar(field, value, context);
  }
}

function validateScalar(field: ClientField, value: unknown, context: FieldContext): FieldResult {
  if (typeof value !== 'string') return refuse(field, 'type', 'must be a string');
  const text = normalised(field, value);
  const violations = textViolations(field, text, context);
  if (violations.length === 0) return { value: text };
  return { violations: violations.map((violation) => placed(violation, field.name, pointerTo(field.name))) };
}

function validateList(field: ClientField, value: unknown, context: FieldContext): FieldResult {
  if (!Array.isArray(value)) return refuse(field, 'type', 'must be an array of strings');
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field.limits;
  if (value.length < minItems) return refuse(field, 'too_few', `must have at least ${minItems} element`);
  if (value.length > maxItems) return refuse(field, 'too_many', `must have at most ${maxItems} elements`);
  const items: readonly unknown[] = value;
  const violations = Array.from(items, (item, index) => {
    const pointer = () => pointerTo(field.name, index);
    if (typeof item !== 'string') {
      return [{ field: pointer(), code: 'type', message: `${field.name} must contain only strings` }];
    }
    return itemViolations(field, items, index, item, context).map((violation) =>
      placed(violation, quote(item), pointer()),
    );
  }).flat();
  if (violations.length > 0) return { violations };
  // An empty list counts as absent if the field is optional.
  const isNone = items.length === 0 && !field.required && field.default === undefined;
  return { value: isNone ? undefined : [...items] };
}

/** Keys are sorted, so that equal maps are stored alike; an empty map counts as no value. */
function validateMap(field: ClientField, value: unknown, context: FieldContext): FieldResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(field, 'type', 'must be an object whose values are strings');
  }
  const entries: [string, unknown][] = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const { maxItems = Number.POSITIVE_INFINITY } = field.limits;
  if (entries.length > maxItems) return refuse(field, 'too_many', `must have at most ${maxItems} entries`);
  const violations = entries.flatMap(([key, item]) =>
    entryViolations(field, key, item, context).map((violation) =>
      placed(violation, `${field.name}: ${quote(key)}`, pointerTo(field.name, key)),
    ),
  );
  if (violations.length > 0) return { violations };
  return { value: entries.length === 0 ? undefined : Object.fromEntries(entries) };
}

function validateObject(field: ClientField, value: unknown): FieldResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(field, 'type', 'must be an object');
  const found = (field.format && FIELD_FORMATS[field.format].objectViolations?.(value)) ?? [];
  if (found.length === 0) return { value };
  return {
    violations: found.map(({ path, ...violation }) =>
      placed(violation, field.name, pointerTo(field.name, ...path)),
    ),
  };
}

function entryViolations(
  field: ClientField,
  key: string,
  item: unknown,
  context: FieldContext,
): RuleViolation[] {
  const ofKey = (field.format && FIELD_FORMATS[field.format].keyViolations?.(key)) ?? [];
  if (ofKey.length > 0) return ofKey;
  if (typeof item !== 'string') return [{ code: 'type', message: 'must have a string as its value' }];
  return textViolations(field, item, context);
}

function itemViolations(
  field: ClientField,
  items: readonly unknown[],
  index: number,
  item: string,
  context: FieldContext,
): RuleViolation[] {
  const first = items.findIndex((other) => typeof other === 'string' && sameWords(other, item));
  if (first < index) {
    return [{ code: 'duplicate', message: `occurs in ${field.name} twice, first at index ${first}` }];
  }
  return textViolations(field, item, context);
}

function validateDuration(field: ClientField, value: unknown): FieldResult {
  const outcome = parseSessionExpiration(value);
  if (typeof outcome === 'number') return { value };
  return { violations: [placed(outcome, field.name, pointerTo(field.name))] };
}

function textViolations(field: ClientField, text: string, context: FieldContext): RuleViolation[] {
  const values = allowedValues(field, context.capabilities);
  if (values) return values.some((value) => sameWords(value, text)) ? [] : [unsupported(field, text, values)];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field.limits;
  const length = lengthOf(text);
  if (length > maxLength) {
    return [{ code: 'too_long', message: `must be at most ${maxLength} characters long` }];
  }
  if (length < minLength) return [{ code: 'too_short', message: 'must not be empty' }];
  const characters = field.format?.endsWith('-uri') ? [] : characterViolations(text);
  if (characters.length > 0 || field.format === undefined) return characters;
  return FIELD_FORMATS[field.format].violations(text, context);
}

function unsupported(field: ClientField, text: string, values: readonly string[]): RuleViolation {
  const supported = values.join(', ');
  const message =
    field.type === 'string[]'
      ? `is not supported in ${field.name}; supported: ${supported}`
      : `must be one of ${supported}; ${quote(text)} is not supported`;
  return { code: 'value_not_supported', message };
}

/** The order of words in `code id_token` is insignificant (OAuth 2.0 Multiple Response Types, section 3). */
function sameWords(a: string, b: string): boolean {
  if (a === b || a.length !== b.length || !a.includes(' ')) return a === b;
  const sorted = (text: string) => text.split(' ').sort().join(' ');
  return sorted(a) === sorted(b);
}

function normalised(field: ClientField, text: string): string {
  return (field.format && FIELD_FORMATS[field.format].normalise?.(text)) ?? text;
}

function refuse(field: ClientField, code: string, message: string): FieldResult {
  return { violations: [placed({ code, message }, field.name, pointerTo(field.name))] };
}

function placed({ code, message }: RuleViolation, subject: string, field: string): Violation {
  return { field, code, message: `${subject} ${message}` };
}
