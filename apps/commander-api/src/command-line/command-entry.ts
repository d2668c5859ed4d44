import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import type { GlobalSettings } from './global-settings.js';

/** One command of the first level. Its module is loaded only when it is the one invoked. */
export interface CommandEntry {
  readonly name: string;
  /** The line in `svccmd --help`. */
  readonly description: string;
  readonly load: (context: CommandContext, settings: GlobalSettings) => Promise<Command>;
}
