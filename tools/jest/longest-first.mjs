// Starts the longest test files first, so that no worker is still busy with one when the others are done. On a machine
// that has run them before, the order is by their last duration; in a fresh clone, by the list below, then by size.
import TestSequencer from '@jest/test-sequencer';

/** Ends of the paths of files that take much longer than their size suggests, longest first. */
const LONG = [
  'registry-api/test/registry.e2e-spec.ts',
  'registry-api/test/database/pooler.integration-spec.ts',
  'registry-ui/test/screens.e2e-spec.ts',
  'registry-ui/test/messages.e2e-spec.ts',
  'registry-ui/test/register.e2e-spec.ts',
  'registry-ui/test/screens-after-steps.e2e-spec.ts',
  'registry-ui/test/sign-in-and-tokens.e2e-spec.ts',
  'registry-ui/test/edit.e2e-spec.ts',
  'registry-ui/test/many.e2e-spec.ts',
  'registry-api/test/database/connecting.integration-spec.ts',
  'tools/test/first-tour.e2e-spec.ts',
  'tools/test/backup.e2e-spec.ts',
  'registry-ui/test/copying.e2e-spec.ts',
  'example-authorization-server/test/example.e2e-spec.ts',
  'example-authorization-server/test/outage.e2e-spec.ts',
  'commander-api/test/libraries/library-failures.e2e-spec.ts',
  'registry-api/test/traces.e2e-spec.ts',
  'registry-api/test/database/failover.integration-spec.ts',
  'registry-api/test/changes/two-registries.integration-spec.ts',
  'registry-api/test/database/standby-reads.integration-spec.ts',
  'registry-api/test/list/client-walk.integration-spec.ts',
  'zookeeper-store/test/connecting.integration-spec.ts',
  'zookeeper-store/test/limits.integration-spec.ts',
  'zookeeper-store/test/refusals.integration-spec.ts',
  'zookeeper-store/test/next-server.integration-spec.ts',
  'zookeeper-store/test/load-failures.integration-spec.ts',
  'registry-api/test/clients/concurrency.integration-spec.ts',
  'tools/test/generated-clients.e2e-spec.ts',
  'tools/test/high-availability.e2e-spec.ts',
  'registry-api/test/outage.integration-spec.ts',
  'registry-api/test/import/import-races.integration-spec.ts',
  'test-servers/test/postgres.integration-spec.ts',
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/** Place among those that start first; where Jest knows how long a file took, its own order stands. */
function rankOf({ path, duration }) {
  if (duration !== undefined) return LONG.length;
  const rank = LONG.findIndex((end) => path.endsWith(end));
  return rank < 0 ? LONG.length : rank;
}
