import { runSpec } from './support/run-spec.mjs';

export const title = 'callers who send or read slowly, and an honest one meanwhile';

export const run = async ({ quick }) =>
  runSpec(
    'apps/registry-api/test/drills/slow-callers.e2e-spec.ts',
    quick ? {} : { DRILL_CALLERS: 400, DRILL_STALLED: 1 },
  );
