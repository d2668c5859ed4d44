import { allowedValues, defaultOf, supportedFields, type Capabilities } from '../fields/capabilities.js';
import type { ClientField } from '../fields/client-field.js';
import { FIELD_FORMATS } from '../fields/field-formats.js';
import { SERVER_FIELDS } from '../fields/server-fields.js';
import { REDIRECTING_GRANTS } from '../validation/client-rules.js';
import { MAX_SESSION_SECONDS, MIN_SESSION_SECONDS } from '../fields/session-expiration.js';

/** A JSON Schema (draft 2020-12) without `$schema`, for direct use in an OpenAPI 3.1 document. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The schema of a registration's body. It is looser than validation, never stricter: rules between fields, details of
 * URIs and server-owned fields are left to validation.
 */
export function registrationSchema(capabilities: Capabilities): JsonSchema {
  const fields = supportedFields(capabilities).filter((field) => field.editable !== 'never');
  return { ...objectSchema(fields, capabilities), ...NEEDS_REDIRECT_URIS };
}

/** The schema of a PUT's body. Server-owned fields may be included with their current values. */
export function updateSchema(capabilities: Capabilities): JsonSchema {
  return { ...clientSchema(capabilities), ...NEEDS_REDIRECT_URIS, description: UPDATE };
}

/** The schema of a PATCH's body: every field is optional, and null unsets it (RFC 7396). */
export function patchSchema(capabilities: Capabilities): JsonSchema {
  const fields = supportedFields(capabilities).filter((field) => field.editable === 'always');
  const properties = fields.map((field) => {
    const schema = withRemovableEntries(field, fieldSchema(field, capabilities));
    return [field.name, field.required ? schema : { anyOf: [schema, { type: 'null' }] }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** In a patch, null removes an entry of a map. */
function withRemovableEntries({ type }: ClientField, schema: JsonSchema): JsonSchema {
  if (type !== 'map') return schema;
  return { ...schema, additionalProperties: { anyOf: [schema['additionalProperties'], { type: 'null' }] } };
}

/** The schema of a Client in responses, as far as this library defines it. */
export function clientSchema(capabilities: Capabilities): JsonSchema {
  const fields = supportedFields(capabilities).filter((field) => field.editable !== 'registration');
  const schema = objectSchema(fields, capabilities);
  const owned = SERVER_FIELDS.map(({ name, type, items, properties, description, source }) => [
    name,
    {
      ...{ type, ...(items && { items }), ...(properties && { properties }) },
      ...{ description: described(description, source), readOnly: true },
    },
  ]);
  return {
    ...schema,
    properties: { ...(schema['properties'] as object), ...Object.fromEntries(owned) },
    additionalProperties: true,
  };
}

/** The schema of one field's value. */
export function fieldSchema(field: ClientField, capabilities: Capabilities): JsonSchema {
  const value = defaultOf(field, capabilities);
  return {
    title: field.label,
    description: described(field.description, field.source),
    ...valueSchema(field, capabilities),
    ...(value !== undefined && { default: value }),
    ...(field.editable === 'never' && { readOnly: true }),
    ...(field.editable === 'registration' && { writeOnly: true }),
  };
}

/** Redirect URIs may be empty only if no grant type redirects. */
const NEEDS_REDIRECT_URIS: JsonSchema = {
  if: {
    type: 'object',
    additionalProperties: true,
    required: ['grant_types'],
    properties: {
      grant_types: {
        type: 'array',
        items: { type: 'string' },
        not: { type: 'array', items: { type: 'string' }, contains: { enum: REDIRECTING_GRANTS } },
      },
    },
  },
  else: {
    type: 'object',
    additionalProperties: true,
    properties: { redirect_uris: { type: 'array', items: { type: 'string' }, minItems: 1 } },
  },
};

const UPDATE = 'Replaces everything that can be edited: a field that is left out gets its default.';

function objectSchema(fields: readonly ClientField[], capabilities: Capabilities): JsonSchema {
  return {
    type: 'object',
    required: fields.filter((field) => field.required).map((field) => field.name),
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, capabilities)])),
    additionalProperties: false,
  };
}

function valueSchema(field: ClientField, capabilities: Capabilities): JsonSchema {
  const { minItems, maxItems } = field.limits;
  switch (field.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'string[]':
      return {
        type: 'array',
        items: stringSchema(field, capabilities),
        minItems,
        maxItems,
        uniqueItems: true,
      };
    case 'number or string': {
      const seconds = { type: 'number', minimum: MIN_SESSION_SECONDS, maximum: MAX_SESSION_SECONDS };
      return { anyOf: [seconds, stringSchema(field, capabilities)] };
    }
    case 'map':
      return {
        type: 'object',
        maxProperties: maxItems,
        additionalProperties: { type: 'string', maxLength: field.limits.maxLength },
        ...(field.format && FIELD_FORMATS[field.format].schema),
      };
    case 'object':
      return { type: 'object', ...(field.format && FIELD_FORMATS[field.format].schema) };
    case 'string':
      return stringSchema(field, capabilities);
  }
}

function stringSchema(field: ClientField, capabilities: Capabilities): JsonSchema {
  const values = allowedValues(field, capabilities);
  if (values) return { type: 'string', enum: values.flatMap(spellings) };
  const { minLength, maxLength } = field.limits;
  return { type: 'string', minLength, maxLength, ...(field.format && FIELD_FORMATS[field.format].schema) };
}

/** Every permutation of a value's words, which are all equivalent. */
function spellings(value: string): string[] {
  const orders = (words: readonly string[]): string[][] =>
    words.length < 2
      ? [[...words]]
      : words.flatMap((word, index) => orders(words.toSpliced(index, 1)).map((rest) => [word, ...rest]));
  return orders(value.split(' ')).map((words) => words.join(' '));
}

function described(description: string, source: string): string {
  return `${description} (${source})`;
}
