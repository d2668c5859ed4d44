import { extname } from 'node:path';
import { Command } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import { writeNewFile } from '../files/write-new-file.js';
import { CONFIG_KEYS } from '../config/config-keys.js';
import { configSchema } from './config-schema.js';
import { describeConfig, formatConfig } from './describe-config.js';
import { exampleConfig, type ConfigFormat } from './example-config.js';
import { loadConfig } from '../config/read-commander-config.js';

const FORMATS: Readonly<Record<string, ConfigFormat>> = {
  '.conf': 'ini',
  '.ini': 'ini',
  '.yaml': 'yaml',
  '.yml': 'yaml',
};

/** @param configFile what `-c` names */
export function configCommand(context: CommandContext, configFile: () => string | undefined): Command {
  return new Command('config')
    .description(
      'Show the effective configuration: every key, its value (secrets masked) and where it was set.',
    )
    .action(() => show(context, configFile()))
    .addCommand(initCommand(context))
    .addCommand(schemaCommand(context));
}

function show({ answer, env }: CommandContext, configFile: string | undefined): void {
  const loaded = loadConfig(configFile, env);
  const settings = describeConfig(loaded);
  answer({
    text: formatConfig(loaded.file, settings),
    value: { file: loaded.file ?? null, settings },
  });
}

function initCommand({ answer }: CommandContext): Command {
  return new Command('init')
    .description('Create a configuration file that explains every key. Never overwrites a file.')
    .argument('[file]', 'the file to create: .conf or .ini for INI, .yaml or .yml for YAML', 'svccmd.conf')
    .action(async (file: string) => {
      const format = FORMATS[extname(file).toLowerCase()];
      if (!format)
        throw new CommanderError('usage', `${file}: the extension must be .conf, .ini, .yaml or .yml`);
      await writeNewFile(file, exampleConfig(CONFIG_KEYS, format));
      answer({ text: `wrote ${file}`, value: { file } });
    });
}

function schemaCommand({ answer }: CommandContext): Command {
  return new Command('schema')
    .description('Print the JSON Schema of YAML configuration files.')
    .action(() => {
      const schema = configSchema(CONFIG_KEYS);
      answer({ text: JSON.stringify(schema, null, 2), value: schema });
    });
}
