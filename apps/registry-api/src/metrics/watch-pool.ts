import type { DataSource } from 'typeorm';
import { poolOf } from '../database/transaction.js';
import type { RegistryFigures } from './registry-figures.js';

/** Tells how far the connections to the database are used. Requests that wait for one are what a small pool costs. */
export function watchPool(figures: RegistryFigures, dataSource: DataSource): void {
  const pool = poolOf(dataSource);
  figures.watch(
    'database_pool_connections',
    'Open connections to the database, by state.',
    () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount }),
    'state',
  );
  figures.watch(
    'database_pool_max_connections',
    'How many connections there may be.',
    () => pool.options.max,
  );
  figures.watch(
    'database_pool_waiting_requests',
    'Requests that wait for a connection.',
    () => pool.waitingCount,
  );
}
