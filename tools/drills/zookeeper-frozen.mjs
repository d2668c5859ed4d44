import { runSpecs } from './support/run-spec.mjs';

export const title =
  'a ZooKeeper server that freezes: how its client notices, and how a load goes on elsewhere';

export const run = async ({ quick }) =>
  runSpecs(
    [
      'libs/zookeeper-store/test/lost-connections.integration-spec.ts',
      'libs/zookeeper-store/test/frozen-server.integration-spec.ts',
    ],
    quick ? {} : { DRILL_ROUNDS: 20 },
  );
