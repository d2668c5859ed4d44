export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres.js';
