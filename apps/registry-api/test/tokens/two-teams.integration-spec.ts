import { DATABASE_START_MS } from '../on-both-databases.js';
import { type RunningRegistry, runRegistry } from '../running-registry.js';
import { seedOf } from '../seeded-random.js';
import { fuzzTwoTeams } from './two-teams.js';

/** The drill sends 100,000. */
const REQUESTS = 600;

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

test('of two teams with tokens for their own Clients, neither learns anything of the other', async () => {
  const { leaks, succeeded } = await fuzzTwoTeams(registry, seedOf('FUZZ_SEED'), REQUESTS);
  expect(leaks).toEqual([]);
  expect(succeeded).toBeGreaterThan(REQUESTS / 4);
});

test('it would be found', async () => {
  const { leaks } = await fuzzTwoTeams(registry, 7, 100, false);
  expect(leaks.length).toBeGreaterThan(5);
});
