import { runSpec } from './support/run-spec.mjs';

export const title = 'a ZooKeeper server that freezes, as its client notices it';

export const run = async ({ quick }) =>
  runSpec(
    'libs/zookeeper-store/test/lost-connections.integration-spec.ts',
    quick ? {} : { DRILL_ROUNDS: 20 },
  );
