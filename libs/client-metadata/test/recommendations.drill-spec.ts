import { jest } from '@jest/globals';
import fc from 'fast-check';
import { RECOMMENDATION_KINDS } from '../src/index.js';
import { assertProven, histories } from './request-history.js';

jest.setTimeout(3_600_000);

/** Random histories of requests. */
const HISTORIES = Number(process.env['DRILL_HISTORIES'] ?? 2_000);

const SEED = Number(process.env['DRILL_SEED'] ?? Math.floor(Math.random() * 1_000_000));

test('recommendations equal those found by trying, and refuse nothing that was seen', () => {
  const recommended = new Set<string>();
  const property = fc.property(histories, (history) => {
    for (const kind of assertProven(history)) recommended.add(kind);
  });
  fc.assert(property, { numRuns: HISTORIES, seed: SEED });
  expect([...recommended].sort()).toEqual([...RECOMMENDATION_KINDS].sort());
});
