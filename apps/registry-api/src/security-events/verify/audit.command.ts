import { parseArgs } from 'node:util';
import { assertMigrated } from '../../database/migrate.js';
import type { Database } from '../../database/open-database.js';
import { AuditUsageError } from './audit.errors.js';
import { readChain } from './read-chain.js';
import { ChainVerifier } from './verify-chain.js';

const POSITION = /^\d{1,18}-[0-9a-f]{64}$/;

/** The arguments of `audit verify`. @returns the event that the record must contain, if one is given */
export function parseAuditArguments(words: readonly string[]): { readonly includes?: string | undefined } {
  const [verb, ...rest] = words;
  if (verb !== 'verify')
    throw new AuditUsageError('the subcommand must be verify: registry-api audit verify');
  const { includes } = optionsIn(rest);
  if (includes !== undefined && !POSITION.test(includes)) {
    throw new AuditUsageError('--includes must be <seq>-<mac> as in the output of an earlier audit verify');
  }
  return { includes };
}

/**
 * Verifies the record in the database, and prints what it verified as one line of JSON.
 *
 * @throws {BrokenRecordError}
 */
export async function runAuditCommand(
  words: readonly string[],
  context: { readonly openDatabase: () => Promise<Database>; readonly peppers: readonly string[] },
): Promise<void> {
  const { includes } = parseAuditArguments(words);
  const database = await context.openDatabase();
  try {
    await assertMigrated(database.dataSource);
    const verification = await readChain(
      database.dataSource,
      (ends) => new ChainVerifier(context.peppers, ends, includes),
    );
    process.stdout.write(`${JSON.stringify(verification)}\n`);
  } finally {
    await database.close();
  }
}

function optionsIn(words: string[]) {
  try {
    return parseArgs({ args: words, options: { includes: { type: 'string' } } }).values;
  } catch (error) {
    throw new AuditUsageError((error as Error).message);
  }
}
