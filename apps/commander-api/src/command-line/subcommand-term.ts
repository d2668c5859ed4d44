import type { Command, Help } from 'commander';

/**
 * Lists subcommands as in their own usage lines. Some arguments are optional for the parser, which cannot tell them from the
 * optional ones before them, but required by the command.
 */
export const SUBCOMMANDS_AS_USED: Partial<Help> = {
  subcommandTerm: (command: Command) => `${command.name()} ${command.usage()}`,
};
