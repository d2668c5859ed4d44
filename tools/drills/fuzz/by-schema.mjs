// Values that roughly match a schema in the API document.
import fc from 'fast-check';

/** Deeper schemas are truncated. */
const MAX_DEPTH = 5;

/**
 * Uses existing values for known parameters and properties instead of generated ones.
 *
 * @param {{ resolved: (schema: object) => object }} document
 * @param {Record<string, fc.Arbitrary<unknown>>} known
 */
export function bySchema(document, known) {
  return (schema, name) => build(schema, name, 0);

  function build(reference, name, depth) {
    if (name !== undefined && Object.hasOwn(known, name)) return known[name];
    const schema = document.resolved(reference);
    const { example, enum: values, const: constant } = schema;
    const fitting = depth > MAX_DEPTH ? fc.constant(null) : byKind(schema, depth);
    if (constant !== undefined) return fc.constant(constant);
    if (values) return fc.constantFrom(...values);
    return example === undefined ? fitting : fc.oneof(fc.constant(example), fitting);
  }

  function byKind(schema, depth) {
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return fc.oneof(...alternatives.map((one) => build(one, undefined, depth + 1)));
    if (schema.allOf) {
      const { allOf, ...own } = schema;
      const parts = own.properties ? [...allOf, own] : allOf;
      return merged(parts.map((one) => build(one, undefined, depth + 1)));
    }
    const types = [schema.type ?? (schema.properties ? 'object' : 'string')].flat();
    return fc.oneof(...types.map((type) => byType(type, schema, depth)));
  }

  function byType(type, schema, depth) {
    if (type === 'object') return object(schema, depth);
    if (type === 'array') {
      const { items = {}, minItems = 0, maxItems = 3 } = schema;
      return fc.array(build(items, undefined, depth + 1), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 3)),
      });
    }
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (type === 'integer' || type === 'number') {
      const { minimum = -10, maximum = 1_000 } = schema;
      return fc.integer({ min: Math.max(minimum, -1e9), max: Math.min(maximum, 1e9) });
    }
    return text(schema);
  }

  function object({ properties = {}, required = [], additionalProperties }, depth) {
    const given = Object.entries(properties).filter(([, member]) => member.readOnly !== true);
    const entries = given.map(([name, member]) => [name, build(member, name, depth + 1)]);
    const free = additionalProperties && typeof additionalProperties === 'object' && entries.length === 0;
    if (free)
      return fc.dictionary(
        fc.string({ minLength: 1, maxLength: 8 }),
        build(additionalProperties, undefined, depth + 1),
        { maxKeys: 3 },
      );
    const musts = entries.filter(([name]) => required.includes(name));
    const anyOfThem = fc.record(Object.fromEntries(entries), { requiredKeys: musts.map(([name]) => name) });
    if (entries.length === 0) return anyOfThem;
    // Schemas do not say which properties can be combined; the required ones plus one usually can.
    const few = entries.map((one) => fc.record(Object.fromEntries([...musts, one])));
    return fc.oneof(anyOfThem, fc.oneof(...few));
  }
}

function merged(parts) {
  return fc
    .tuple(...parts)
    .map((values) => Object.assign({}, ...values.filter((value) => typeof value === 'object')));
}

function text({ format, minLength = 0, maxLength = 60 }) {
  if (format === 'uri')
    return fc.constantFrom(
      'https://shop.example/cb',
      'https://app.example/',
      'http://127.0.0.1:9/cb',
      'com.example.app:/cb',
    );
  if (format === 'date-time')
    return fc.constantFrom('2026-01-01T00:00:00Z', '2020-02-29T23:59:60Z', '2099-12-31T00:00:00+14:00');
  const length = {
    minLength: Math.min(minLength, 100),
    maxLength: Math.max(minLength, Math.min(maxLength, 60)),
  };
  return fc.oneof(fc.string(length), fc.string({ unit: 'grapheme', ...length }));
}
