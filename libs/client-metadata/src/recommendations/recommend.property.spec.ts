import fc from 'fast-check';
import { assertProven, histories } from '../../test/request-history.js';

// The drill `recommendations` tries 10,000.
test('recommends what trying on the whole requests finds, and nothing that refuses one of them', () => {
  const property = fc.property(histories, (history) => void assertProven(history));
  expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow();
});
