import { runSpec } from './support/run-spec.mjs';

export const title = 'bodies that are dear to read, and a health probe meanwhile';

export const run = async ({ quick }) =>
  runSpec('apps/registry-api/test/drills/hostile-bodies.e2e-spec.ts', quick ? {} : { DRILL_IDLE_MACHINE: 1 });
