import { runSpec } from './support/run-spec.mjs';

export const title = 'floods beyond the rate limits, and an honest caller meanwhile';

export const run = async ({ quick }) =>
  runSpec('apps/registry-api/test/drills/flood.e2e-spec.ts', quick ? {} : { DRILL_FLOOD_MS: 20_000 });
