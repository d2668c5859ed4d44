import { runSpec } from './support/run-spec.mjs';

export const title =
  'how soon changes in the registry count at an authorization server, with the change feed and without';

export const run = async ({ quick }) =>
  runSpec('apps/registry-e2e/test/changes.e2e-spec.ts', { DRILL_ROUNDS: quick ? 1 : 10 });
