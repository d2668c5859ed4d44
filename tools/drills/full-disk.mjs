import { runSpec } from './support/run-spec.mjs';

export const title = 'the disk of PostgreSQL is full under load, and has room again';

export const run = async ({ quick }) =>
  runSpec('apps/registry-api/test/drills/full-disk.e2e-spec.ts', quick ? {} : { DRILL_ROUNDS: 10 });
