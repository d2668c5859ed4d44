import { createDatabase, fromRegistryTemplate, fromSetup, query } from './test-database.js';

/**
 * The PostgreSQL server that all test files of a run share (tools/jest/shared-postgres.setup.mjs). For suites that
 * leave the server itself unchanged.
 */
export class SharedPostgres {
  /** Connection URL of the database `postgres`, as its superuser. */
  readonly url = fromSetup('TEST_POSTGRES_URL');
  private readonly databases: string[] = [];

  /**
   * Creates an empty database. @param options as `CREATE DATABASE` takes them
   *
   * @returns its connection URL
   */
  async createDatabase(options = ''): Promise<string> {
    const url = await createDatabase(this.url, options);
    this.databases.push(new URL(url).pathname.slice(1));
    return url;
  }

  /** Creates a database with the registry's tables. */
  async createRegistryDatabase(): Promise<string> {
    return this.createDatabase(fromRegistryTemplate());
  }

  /** Drops the databases created here, ending their connections. */
  async dropDatabases(): Promise<void> {
    for (const name of this.databases.splice(0)) {
      await query(this.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
  }
}
