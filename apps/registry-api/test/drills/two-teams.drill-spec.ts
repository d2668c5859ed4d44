import { jest } from '@jest/globals';
import { recordFigure } from '@svc/test-servers';
import { type RunningRegistry, runRegistry } from '../running-registry.js';
import { seedOf } from '../seeded-random.js';
import { fuzzTwoTeams, type Restriction, SELECTORS } from '../tokens/two-teams.js';

jest.setTimeout(3_600_000);

const REQUESTS = Number(process.env['DRILL_REQUESTS'] ?? 2_000);

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
});
afterAll(async () => registry.close());

test(`${REQUESTS} random requests of two teams leak nothing from one to the other, totals included`, async () => {
  const restrictions = Object.keys(SELECTORS) as Restriction[];
  const seed = seedOf('DRILL_SEED');
  let succeeded = 0;
  for (const restriction of restrictions) {
    const requests = Math.ceil(REQUESTS / restrictions.length);
    const result = await fuzzTwoTeams(registry, seed, requests, restriction);
    expect(result.leaks.slice(0, 20)).toEqual([]);
    succeeded += result.succeeded;
  }
  recordFigure('requests', String(REQUESTS));
  recordFigure('succeeded', String(succeeded));
});
