import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** One command of the first level. Its module is loaded only when it is the one invoked. */
export interface CommandEntry {
  readonly name: string;
  /** The line in `svccmd --help`. */
  readonly description: string;
  readonly load: (context: CommandContext) => Promise<Command>;
}

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'client',
    description: 'judge declarations of Clients',
    load: async (context) => (await import('../clients/client.command.js')).clientCommand(context),
  },
  {
    name: 'serve',
    description: 'serve the HTTP API',
    load: async (context) => (await import('../serve/serve.command.js')).serveCommand(context),
  },
];
