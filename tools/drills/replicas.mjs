import { runSpec } from './support/run-spec.mjs';

export const title = 'two processes on one database: order of the feed, stale reads, revoked tokens';

export const run = async ({ quick }) =>
  runSpec(
    'apps/registry-api/test/drills/two-processes.e2e-spec.ts',
    quick ? {} : { DRILL_CHANGES: 6_000, DRILL_READS: 2_000, DRILL_TOKENS: 30 },
  );
