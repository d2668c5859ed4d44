import { jest } from '@jest/globals';
import { recordFigure } from '@svc/test-servers';
import fc from 'fast-check';
import { RECOMMENDATION_KINDS } from '../src/index.js';
import { assertProven, histories } from './request-history.js';

jest.setTimeout(3_600_000);

/** Random histories of requests. */
const HISTORIES = Number(process.env['DRILL_HISTORIES'] ?? 2_000);

const SEED = Number(process.env['DRILL_SEED'] ?? Math.floor(Math.random() * 1_000_000));

test('recommendations equal those found by trying, and refuse nothing that was seen', () => {
  const counts = new Map<string, number>();
  const property = fc.property(histories, (history) => {
    for (const kind of assertProven(history)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  });
  fc.assert(property, { numRuns: HISTORIES, seed: SEED });
  expect([...counts.keys()].sort()).toEqual([...RECOMMENDATION_KINDS].sort());
  recordFigure('histories of requests', HISTORIES);
  for (const kind of RECOMMENDATION_KINDS) recordFigure(`recommended ${kind}`, counts.get(kind) ?? 0);
});
