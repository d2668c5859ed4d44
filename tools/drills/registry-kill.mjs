import { runSpec } from './support/run-spec.mjs';

export const title = 'kill -9 of the registry amid registrations, again and again';

export const run = async ({ quick }) =>
  runSpec('apps/registry-api/test/drills/kill.e2e-spec.ts', { DRILL_KILLS: quick ? 3 : 60 });
