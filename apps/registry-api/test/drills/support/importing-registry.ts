import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../../registry-process.js';
import { registration } from '../../running-registry.js';

/** The secret of the hashes that drills import. */
export const IMPORTED_SECRET = 'correct horse battery staple 42';

/** A registry in its own process that imports secrets, on a PostgreSQL server of its own. */
export interface ImportingRegistry {
  readonly process: RegistryProcess;
  /** Registers Clients with a hash of another product. */
  importHashed(ids: readonly string[], hash: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startImportingRegistry(
  settings: Readonly<Record<string, string>> = {},
): Promise<ImportingRegistry> {
  const server = await startPostgres();
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  const process = await RegistryProcess.start({
    ...{ DATABASE_URL: await server.createDatabase(), DATA_DIR: dataDir },
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
    SECRET_IMPORT: 'allowed',
    ...settings,
  });
  return {
    process,
    importHashed: async (ids, hash) => {
      const records = ids.map((id) => registration({ client_id: id, client_secret_hash: hash }));
      const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const sent = { body, headers: { 'content-type': 'application/x-ndjson' } };
      expect((await process.ask('POST', '/clients/import', sent)).status).toBe(200);
    },
    stop: async () => {
      expect(await process.end('SIGTERM')).toBe(0);
      await server.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
