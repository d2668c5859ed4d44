import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { type RunningRegistry, runRegistry } from './running-registry.js';

/**
 * For a hook that starts a database, in milliseconds: the embedded one takes seconds of processor time to make its data
 * folder, which on a machine that is busy with other tests are minutes.
 */
export const DATABASE_START_MS = 240_000;

/** Runs a suite on a real PostgreSQL and on the embedded database: what holds on one must hold on the other. */
export function onBothDatabases(
  suite: (registry: () => RunningRegistry) => void,
  environment: Readonly<Record<string, string>> = {},
): void {
  describe('on PostgreSQL', () => {
    let server: PostgresServer;
    let registry: RunningRegistry;
    beforeAll(async () => {
      server = await startPostgres();
      registry = await runRegistry({ ...environment, DATABASE_URL: await server.createDatabase() });
    }, DATABASE_START_MS);
    afterAll(async () => {
      await registry.close();
      await server.stop();
    });
    suite(() => registry);
  });

  describe('on the embedded database', () => {
    let registry: RunningRegistry;
    beforeAll(async () => {
      registry = await runRegistry(environment);
    }, DATABASE_START_MS);
    afterAll(async () => registry.close());
    suite(() => registry);
  });
}
