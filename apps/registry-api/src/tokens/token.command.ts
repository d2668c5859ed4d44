import { parseArgs } from 'node:util';
import { toViolations } from '@svc/service-kit';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Logger } from 'pino';
import { migrate } from '../database/migrate.js';
import type { Database } from '../database/open-database.js';
import { inTransaction } from '../database/transaction.js';
import type { RetentionPolicy } from '../settings/registry-settings.js';
import { SHELL } from '../security-events/security-event.js';
import type { SecurityEvents } from '../security-events/security-events.js';
import { SCOPES } from './scopes.js';
import { CreateTokenBody, lifetimeOf } from './token.dto.js';
import { tokenCreated } from './token-events.js';
import { TokenUsageError } from './token.errors.js';
import { UNRESTRICTED } from './token-restrictions.js';
import { createToken } from './tokens.repository.js';

/** The arguments of `token create`. All scopes when none is named: it is for administrators who are locked out. */
export function parseTokenArguments(words: readonly string[]): CreateTokenBody {
  const [verb, ...rest] = words;
  if (verb !== 'create') throw new TokenUsageError('the only subcommand of token is create');
  const { name, scope, 'expires-in': expiresIn } = optionsIn(rest);
  const scopes = scope?.flatMap((words) => words.split(/[\s,]+/).filter((word) => word !== '')) ?? SCOPES;
  const given = { name, scopes, ...(expiresIn !== undefined && { expires_in: expiresIn }) };
  const body = plainToInstance(CreateTokenBody, given);
  const [violation] = toViolations(validateSync(body));
  if (violation) throw new TokenUsageError(violation.message);
  return body;
}

/** What the command needs. */
export interface TokenCommandContext {
  readonly openDatabase: () => Promise<Database>;
  readonly openEvents: (database: Database) => SecurityEvents;
  readonly retention: RetentionPolicy;
  readonly logger: Logger;
}

/** Creates a token in the database and prints only its value on standard output. */
export async function runTokenCommand(
  words: readonly string[],
  { openDatabase, openEvents, retention, logger }: TokenCommandContext,
): Promise<void> {
  const body = parseTokenArguments(words);
  const database = await openDatabase();
  try {
    await migrate(database.dataSource);
    const wanted = {
      ...{ name: body.name, scopes: body.scopes, lifetime: lifetimeOf(body) },
      restrictions: UNRESTRICTED,
    };
    const now = new Date();
    const keptFrom = retention.keptFrom(now);
    const events = openEvents(database);
    const { token, value } = await inTransaction(database.dataSource, async (transaction) => {
      const created = await createToken(transaction, wanted, { createdBy: 'shell' }, { now, keptFrom });
      events.add(transaction, tokenCreated(created.token, SHELL));
      return created;
    });
    logger.info({ token_id: token.id, scopes: token.scopes }, 'API token created');
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
