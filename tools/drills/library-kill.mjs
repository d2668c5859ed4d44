import { runSpec } from './support/run-spec.mjs';

export const title = 'kill -9 of a library load at any point of its way';

export const run = async ({ quick }) =>
  runSpec(
    'apps/commander-api/test/libraries/library-kills.e2e-spec.ts',
    quick ? {} : { LIBRARY_KILL_POINTS: 50 },
  );
