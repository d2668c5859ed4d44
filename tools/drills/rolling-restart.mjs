import { runSpecs } from './support/run-spec.mjs';

export const title =
  'SIGTERM of one replica of two under load, again and again: the registry and the commander';

export const run = async ({ quick }) =>
  runSpecs(
    [
      'apps/registry-api/test/drills/rolling-restart.e2e-spec.ts',
      'apps/commander-api/test/http/rolling-restart.e2e-spec.ts',
    ],
    quick ? {} : { DRILL_ROUNDS: 20 },
  );
