import fc from 'fast-check';

/** Members that hide an object's own conversions, so that turning it into text or a number throws. */
const CONVERSIONS = ['toString', 'valueOf', 'toJSON', 'constructor', '__proto__', 'length', 'hasOwnProperty'];

/** Any JSON value, often with objects that cannot be turned into text. Such members appear by chance far too rarely. */
export const hostileJson = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>('', null, 7, true, []),
      fc.dictionary(fc.constantFrom(...CONVERSIONS), tie('node'), { maxKeys: 3 }),
      fc.array(tie('node'), { maxLength: 2 }),
    ),
  })).node,
);
