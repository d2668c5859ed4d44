import { ConfigError } from '@svc/foundation/config';
import { startWithLowMemory } from '@svc/service-kit/start-with-low-memory';
import { type Config, readRegistryConfig } from './config.js';
import { describeStartError } from './describe-start-error.js';
import { AuditUsageError } from './security-events/verify/audit.errors.js';
import { TokenUsageError } from './tokens/token.errors.js';

const USAGE = `usage: registry-api [serve | migrate | token create | audit verify]

  serve     serve the HTTP API (the default), after applying pending migrations
  migrate   apply pending migrations and exit
  token create --name <name> [--scope <scope>]... [--expires-in <duration>]
            create an API token (with all scopes by default) and print it, for administrators who are locked out
  audit verify [--includes <seq>-<mac>]
            prove that the audit log is complete and unchanged, and contains an event noted earlier

Configuration is read from the environment; see docs/registry.md.`;

const EXIT = { failed: 1, usage: 2, configuration: 3 } as const;

/** @param words the arguments after the command's name */
type Command = (config: Config, words: readonly string[]) => Promise<void>;

/** Each command loads only what it needs. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: async (config) => {
    await startWithLowMemory(async () => {
      const [{ createLogger, runUntilSignal }, { startRegistry }] = await Promise.all([
        import('@svc/service-kit'),
        import('./start-registry.js'),
      ]);
      const logger = createLogger('registry', config.LOG_LEVEL);
      runUntilSignal(await startRegistry(config, logger), logger);
    });
  },
  migrate: async (config) => {
    const { createLogger } = await import('@svc/service-kit');
    const [{ openRegistryDatabase }, { migrate, unknownMigrations }] = await Promise.all([
      import('./registry-database.js'),
      import('./database/migrate.js'),
    ]);
    const logger = createLogger('registry', config.LOG_LEVEL);
    const database = await openRegistryDatabase(config, logger);
    try {
      logger.info({ applied: await migrate(database.dataSource) }, 'the database is up to date');
      const unknown = await unknownMigrations(database.dataSource);
      if (unknown.length > 0)
        logger.warn(
          { unknown },
          'a newer version has migrated the database; run that version or a later one',
        );
    } finally {
      await database.close();
    }
  },
  token: async (config, words) => {
    const [{ openRegistryDatabase }, { RetentionPolicy }, { runTokenCommand }] = await Promise.all([
      import('./registry-database.js'),
      import('./settings/registry-settings.js'),
      import('./tokens/token.command.js'),
    ]);
    const [{ loadPeppers }, { EventKeys }, { logEvents, SecurityEvents }] = await Promise.all([
      import('./secrets/peppers.js'),
      import('./secrets/event-keys.js'),
      import('./security-events/security-events.js'),
    ]);
    const { createLogger } = await import('@svc/service-kit');
    const keys = new EventKeys(await loadPeppers(config));
    const logger = createLogger('registry', config.LOG_LEVEL, process.stderr);
    await runTokenCommand(words, {
      openDatabase: async () => openRegistryDatabase(config, logger),
      openEvents: ({ dataSource }) =>
        new SecurityEvents(dataSource, keys, logger, config.AUDIT_LOG === 'on' ? [logEvents(logger)] : []),
      retention: new RetentionPolicy(config.CHANGE_RETENTION_DAYS),
      logger,
    });
  },
  audit: async (config, words) => {
    const [{ openRegistryDatabase }, { loadPeppers }, { runAuditCommand }] = await Promise.all([
      import('./registry-database.js'),
      import('./secrets/peppers.js'),
      import('./security-events/verify/audit.command.js'),
    ]);
    const { createLogger } = await import('@svc/service-kit');
    const logger = createLogger('registry', config.LOG_LEVEL, process.stderr);
    await runAuditCommand(words, {
      openDatabase: async () => openRegistryDatabase(config, logger),
      peppers: await loadPeppers(config),
    });
  },
};

/** Commands with arguments of their own. */
const WITH_ARGUMENTS = ['token', 'audit'];

const [name = 'serve', ...words] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (!command || (words.length > 0 && !WITH_ARGUMENTS.includes(name))) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT.usage;
} else {
  await run(command);
}

async function run(start: Command): Promise<void> {
  let config: Config | undefined;
  try {
    // Migrations hash nothing, and may run where the pepper is not known.
    const read = (config = readRegistryConfig(process.env, { needsPepper: name !== 'migrate' }));
    await interruptibly(async () => start(read, words));
  } catch (error) {
    process.stderr.write(`registry-api: ${describeStartError(error, config)}\n`);
    process.exitCode = exitCodeOf(error);
  }
}

/** Exits on a signal during `work`: PID 1 of a container would otherwise ignore it. */
async function interruptibly(work: () => Promise<void>): Promise<void> {
  const end = (_name: NodeJS.Signals, number: number) => process.exit(128 + number);
  process.on('SIGTERM', end).on('SIGINT', end);
  try {
    await work();
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT.configuration;
  const isUsage = error instanceof TokenUsageError || error instanceof AuditUsageError;
  return isUsage ? EXIT.usage : EXIT.failed;
}
