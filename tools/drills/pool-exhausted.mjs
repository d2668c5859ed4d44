import { runSpec } from './support/run-spec.mjs';

export const title = 'every database connection taken, and more callers than connections';

export const run = async ({ quick }) =>
  runSpec('apps/registry-api/test/drills/pool-exhausted.e2e-spec.ts', quick ? {} : { DRILL_ROUNDS: 5 });
