// Request bodies: valid by the schema, with one value corrupted, or unreadable.
import fc from 'fast-check';
import { TYPES } from './headers.mjs';
import { brokenJson, hostileValue } from './hostile.mjs';
import { rarely } from './rarely.mjs';

/**
 * @param {(schema: object) => fc.Arbitrary<unknown>} toSchema
 * @param {Record<string, string[]>} samples non-JSON bodies by type
 * @returns {(contents: object) => fc.Arbitrary<{ body?: string, headers?: object }>} for an operation's content types
 */
export function bodiesFor(toSchema, samples) {
  return (contents) =>
    fc.oneof(...Object.entries(contents).map(([type, { schema = {} }]) => bodyOf(type, schema)));

  function bodyOf(type, schema) {
    const text =
      type === 'application/json' || type.endsWith('+json') ? jsonOf(schema) : textOf(type, schema);
    const bytes = fc.oneof(
      { weight: 16, arbitrary: text.map(toBytes) },
      {
        weight: 1,
        arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('latin1')),
      },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
    const contentType = rarely(fc.constantFrom(...TYPES), fc.constant(type), 20);
    return fc
      .tuple(bytes, contentType)
      .map(([body, value]) => ({ body, headers: { 'content-type': value } }));
  }

  function jsonOf(schema) {
    const good = toSchema(schema);
    const changed = fc
      .tuple(good, fc.nat(), hostileValue)
      .map(([value, place, other]) => spoiled(value, place, other));
    return fc.oneof(
      { weight: 6, arbitrary: good.map(toJson) },
      { weight: 4, arbitrary: changed.map(toJson) },
      { weight: 2, arbitrary: brokenJson },
      { weight: 1, arbitrary: hostileValue.map(toJson) },
    );
  }

  function textOf(type, schema) {
    const toLine = (value) => (typeof value === 'string' ? value : toJson(value));
    const good = samples[type] ? fc.constantFrom(...samples[type]) : toSchema(schema).map(toLine);
    const lines = fc.array(hostileValue.map(toLine), { maxLength: 5 }).map((many) => many.join('\n'));
    return fc.oneof({ weight: 4, arbitrary: good }, brokenJson, lines);
  }
}

function toJson(value) {
  return JSON.stringify(value) ?? 'null';
}

/** Converts to one character per UTF-8 byte. */
function toBytes(text) {
  return Buffer.from(text).toString('latin1');
}

/** @returns a copy with one value replaced, or an extra property */
function spoiled(value, place, other) {
  const copy = { root: structuredClone(value) };
  const places = placesIn(copy);
  const [holder, key] = places[place % places.length];
  const isObject = typeof holder[key] === 'object' && holder[key] !== null;
  if (isObject && place % 2 === 0) holder[key].no_such = other;
  else holder[key] = other;
  return copy.root;
}

function placesIn(holder) {
  return Object.keys(holder).flatMap((key) => {
    const inner = typeof holder[key] === 'object' && holder[key] !== null ? placesIn(holder[key]) : [];
    return [[holder, key], ...inner];
  });
}
