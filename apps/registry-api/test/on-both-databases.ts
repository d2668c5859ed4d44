import { type RunningRegistry, runRegistry } from './running-registry.js';

/** For a hook that starts a registry, in milliseconds: on a busy machine the embedded database may take minutes. */
export const DATABASE_START_MS = 240_000;

/**
 * @param isThorough whether large numbers are worth their time: on PostgreSQL, and on the embedded database with
 *   `TEST_DATABASES=both`
 */
type Suite = (registry: () => RunningRegistry, isThorough: boolean) => void;
type Environment = Readonly<Record<string, string>>;

/**
 * Runs a suite on a real PostgreSQL and on the embedded database: for suites whose statements, transactions or
 * notifications may behave differently there.
 */
export function onBothDatabases(suite: Suite, environment: Environment = {}): void {
  describe('on PostgreSQL', () => run(suite, environment, 'postgres'));
  describe('on the embedded database', () => run(suite, environment, 'embedded'));
}

/** Runs a suite on a real PostgreSQL; with `TEST_DATABASES=both` on the embedded database, too. */
export function onPostgres(suite: Suite, environment: Environment = {}): void {
  if (process.env['TEST_DATABASES'] === 'both') onBothDatabases(suite, environment);
  else describe('on PostgreSQL', () => run(suite, environment, 'postgres'));
}

function run(suite: Suite, environment: Environment, database: 'postgres' | 'embedded'): void {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await runRegistry(environment, database);
  }, DATABASE_START_MS);
  afterAll(async () => registry.close());
  suite(() => registry, database === 'postgres' || process.env['TEST_DATABASES'] === 'both');
}
