import { runSpec } from './support/run-spec.mjs';

export const title = 'kill -9 and a full disk while a lookup is written';

export const run = async ({ quick }) =>
  runSpec('apps/commander-api/test/iplookup/iplookup-crash.e2e-spec.ts', quick ? {} : { DRILL_POINTS: 100 });
