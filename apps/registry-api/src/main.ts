import { ConfigError } from '@svc/service-config';
import { type Config, readRegistryConfig } from './config.js';

const USAGE = `usage: registry-api [serve | migrate]

  serve     serve the HTTP API (the default); brings the database up to date first
  migrate   bring the database up to date and end

Configuration is read from the environment; see docs/registry.md.`;

/** Exit status for a command line or a configuration that cannot be used. */
const EXIT = { failed: 1, usage: 2, configuration: 3 } as const;

/** Each command loads no more than it needs. */
const COMMANDS: Readonly<Record<string, (config: Config) => Promise<void>>> = {
  serve: async (config) => {
    const [{ createLogger, runUntilSignal }, { startRegistry }] = await Promise.all([
      import('@svc/service-kit'),
      import('./start-registry.js'),
    ]);
    const logger = createLogger('registry', config.LOG_LEVEL);
    runUntilSignal(await startRegistry(config, logger), logger);
  },
  migrate: async (config) => {
    const { createLogger } = await import('@svc/service-kit');
    const [{ openDatabase }, { migrate }] = await Promise.all([
      import('./database/open-database.js'),
      import('./database/migrate.js'),
    ]);
    const logger = createLogger('registry', config.LOG_LEVEL);
    const database = await openDatabase(config, logger);
    try {
      logger.info({ applied: await migrate(database.dataSource) }, 'the database is up to date');
    } finally {
      await database.close();
    }
  },
};

const [name = 'serve', ...rest] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (!command || rest.length > 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT.usage;
} else {
  await run(command);
}

async function run(start: (config: Config) => Promise<void>): Promise<void> {
  try {
    await start(readRegistryConfig(process.env));
  } catch (error) {
    process.stderr.write(`registry-api: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT.configuration : EXIT.failed;
  }
}
