import { DATABASE_START_MS } from '../on-both-databases.js';
import { type RunningRegistry, runRegistry } from '../running-registry.js';
import { seedOf } from '../seeded-random.js';
import { fuzzTwoTeams, type Restriction, SELECTORS } from './two-teams.js';

/** The drill sends 100,000. */
const REQUESTS = 300;

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

test.each(Object.keys(SELECTORS) as Restriction[])(
  'of two teams with tokens for %s, neither learns anything of the other',
  async (by) => {
    const { leaks, succeeded } = await fuzzTwoTeams(registry, seedOf('FUZZ_SEED'), REQUESTS, by);
    expect(leaks).toEqual([]);
    expect(succeeded).toBeGreaterThan(REQUESTS / 4);
  },
);

test('it would be found', async () => {
  const { leaks } = await fuzzTwoTeams(registry, 7, 100, 'none');
  expect(leaks.length).toBeGreaterThan(5);
});
