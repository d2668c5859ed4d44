import { runSpec } from './support/run-spec.mjs';

export const title = '1,000 open change streams on one process';

export const run = async ({ quick }) =>
  runSpec('apps/registry-api/test/drills/streams.e2e-spec.ts', quick ? {} : { DRILL_CHANGES: 30 });
