import { runSpec } from './support/run-spec.mjs';

export const title = 'PostgreSQL restarted, crashed, unreachable and frozen under load';

export const run = async ({ quick }) =>
  runSpec(
    'apps/registry-api/test/drills/database-away.e2e-spec.ts',
    quick ? {} : { DRILL_ROUNDS: 5, DRILL_UNREACHABLE_MS: 14_000 },
  );
