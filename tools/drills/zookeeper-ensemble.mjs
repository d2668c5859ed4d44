import { runSpec } from './support/run-spec.mjs';

export const title =
  'a ZooKeeper ensemble of three during a load: leader killed, leader frozen, all restarted';

export const run = async ({ quick }) =>
  runSpec(
    'apps/commander-api/test/libraries/library-ensemble.e2e-spec.ts',
    quick ? {} : { DRILL_ROUNDS: 10 },
  );
