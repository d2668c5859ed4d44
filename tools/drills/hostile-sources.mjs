import { runSpec } from './support/run-spec.mjs';

export const title =
  'repositories and IP range files that are expensive to read, and a health probe meanwhile';

export const run = async ({ quick }) =>
  runSpec(
    'apps/commander-api/test/drills/hostile-sources.e2e-spec.ts',
    quick ? {} : { DRILL_IDLE_MACHINE: 1, DRILL_SCALE: 8 },
  );
