import { parseArgs } from 'node:util';
import { createLogger, toFieldProblems } from '@svc/service-kit';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Config } from '../config.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open-database.js';
import { RetentionPolicy } from '../database/retention-policy.js';
import { inTransaction } from '../database/transaction.js';
import { CreateTokenBody, lifetimeOf } from './create-token.body.js';
import { SCOPES } from './scopes.js';
import { TokenUsageError } from './token-usage.error.js';
import { createToken } from './create-token.js';

/** What `token create` is told. All scopes when none is named: it is for administrators who are locked out. */
export function parseTokenArguments(words: readonly string[]): CreateTokenBody {
  const [verb, ...rest] = words;
  if (verb !== 'create') throw new TokenUsageError('the only thing to do with tokens here is: token create');
  const { name, scope, 'expires-in': expiresIn } = optionsIn(rest);
  const scopes = scope?.flatMap((words) => words.split(/[\s,]+/).filter((word) => word !== '')) ?? SCOPES;
  const given = { name, scopes, ...(expiresIn !== undefined && { expires_in: expiresIn }) };
  const body = plainToInstance(CreateTokenBody, given);
  const [fault] = toFieldProblems(validateSync(body));
  if (fault) throw new TokenUsageError(fault.message);
  return body;
}

/** Makes a token in the database and prints its value, alone, on standard output. */
export async function runTokenCommand(config: Config, words: readonly string[]): Promise<void> {
  const body = parseTokenArguments(words);
  const logger = createLogger('registry', config.LOG_LEVEL, process.stderr);
  const database = await openDatabase(config, logger);
  try {
    await migrate(database.dataSource);
    const wanted = { name: body.name, scopes: body.scopes, lifetime: lifetimeOf(body) };
    const now = new Date();
    const keptFrom = new RetentionPolicy(config.CHANGE_RETENTION_DAYS).keptFrom(now);
    const { token, value } = await inTransaction(database.dataSource, async (transaction) =>
      createToken(transaction, wanted, { createdBy: 'shell' }, { now, keptFrom }),
    );
    logger.info({ token_id: token.id, scopes: token.scopes }, 'an API token was made');
    process.stdout.write(`${value}\n`);
  } finally {
    await database.close();
  }
}

function optionsIn(words: string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { name: text, scope: { ...text, multiple: true }, 'expires-in': text } as const;
    return parseArgs({ args: words, options }).values;
  } catch (error) {
    throw new TokenUsageError((error as Error).message);
  }
}
