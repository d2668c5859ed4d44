import { parseArgs } from 'node:util';
import { ALL_CLIENTS } from '@svc/client-metadata';
import { toViolations } from '@svc/service-kit';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Logger } from 'pino';
import { migrate } from '../database/migrate.js';
import type { Database } from '../database/open-database.js';
import { inTransaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { RetentionPolicy } from '../settings/registry-settings.js';
import { SHELL } from '../security-events/security-event.js';
import type { SecurityEvents } from '../security-events/security-events.js';
import { SCOPES } from './scopes.js';
import { CreateTokenBody, lifetimeOf } from './token.dto.js';
import { tokenCreated } from './token-events.js';
import { TokenUsageError } from './token.errors.js';
import { restrictionsIn } from './token-restrictions.dto.js';
import { restrictedBy, type TokenRestrictions } from './token-restrictions.js';
import { createToken } from './tokens.repository.js';

/** What `token create` creates. */
export interface TokenArguments extends Pick<CreateTokenBody, 'name' | 'scopes'> {
  readonly lifetime: number | undefined;
  readonly restrictions: TokenRestrictions;
}

/**
 * The arguments of `token create`. All scopes when none is named: it is for administrators who are locked out.
 *
 * @throws {TokenUsageError}
 */
export function parseTokenArguments(words: readonly string[]): TokenArguments {
  const [verb, ...rest] = words;
  if (verb !== 'create')
    throw new TokenUsageError('the subcommand must be create: registry-api token create --name <name>');
  const options = optionsIn(rest);
  const body = plainToInstance(CreateTokenBody, {
    name: options.name,
    scopes: options.scope?.flatMap(wordsIn) ?? SCOPES,
    ...defined({
      expires_in: options['expires-in'],
      selector: options.selector && selectorIn(options.selector),
      client_id: options['client-id'],
      networks: options.network?.flatMap(wordsIn),
      max_uses: options['max-uses'] === undefined ? undefined : Number(options['max-uses']),
    }),
  });
  const [violation] = toViolations(validateSync(body));
  if (violation) throw new TokenUsageError(violation.message);
  const { name, scopes } = body;
  return { name, scopes, lifetime: lifetimeOf(body), restrictions: restrictionsOf(body) };
}

/** Those that the API allows, too. */
function restrictionsOf(body: CreateTokenBody): TokenRestrictions {
  try {
    return restrictedBy({ selector: ALL_CLIENTS }, restrictionsIn(body), body.scopes);
  } catch (error) {
    if (error instanceof RegistryError)
      throw new TokenUsageError(`${error.message}; name others with --scope`);
    throw error;
  }
}

/** @param labels such as `team:shop`; several with the same key allow each of their values */
function selectorIn(labels: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const selector: Record<string, string[]> = {};
  for (const label of labels) {
    const [key = '', ...rest] = label.split(':');
    if (rest.length === 0) throw new TokenUsageError('a selector is a label such as team:shop');
    (selector[key] ??= []).push(rest.join(':'));
  }
  return selector;
}

function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
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
  const wanted = parseTokenArguments(words);
  const database = await openDatabase();
  try {
    await migrate(database.dataSource);
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
    const texts = { ...text, multiple: true } as const;
    const options = {
      ...{ name: text, scope: texts, 'expires-in': text, 'max-uses': text },
      ...{ selector: texts, 'client-id': text, network: texts },
    } as const;
    return parseArgs({ args: words, options }).values;
  } catch (error) {
    throw new TokenUsageError((error as Error).message);
  }
}
