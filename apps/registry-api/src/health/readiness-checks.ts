import type { ReadinessCheck } from '@svc/service-kit';
import type { DataSource } from 'typeorm';
import { assertMigrated } from '../database/migrate.js';

/** What the registry needs to serve: a database that answers and has the tables this version knows. */
export function readinessChecks(dataSource: DataSource): ReadinessCheck[] {
  return [
    { name: 'postgresql', check: async () => void (await dataSource.query('SELECT 1')) },
    { name: 'migrations', check: async () => assertMigrated(dataSource) },
  ];
}
