import { Command, InvalidArgumentError, Option } from 'commander';
import { COMMANDER_SCOPES } from '../access/caller.js';
import type { CommandContext } from '../command-line/command-context.js';
import type { CreateFlags } from './token-commands.js';

const AFTER_HELP = `
Scopes:
  passwords:encrypt   encrypt passwords
  library:read        read the status, differences and history of libraries
  library:write       load and roll back libraries
  iplookup:read       list, download and query lookups
  iplookup:write      build, roll back and delete lookups
  metrics:read        read the metrics`;

/** `svccmd token …`. What a command needs is loaded when it runs. */
export function tokenCommand(context: CommandContext): Command {
  return new Command('token')
    .description(
      'Manage API tokens of the server, in the file that http.api_tokens names. A running server notices changes within a second.',
    )
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description(
      'Create a token, and print it: http.api_tokens keeps only its hash, so it cannot be printed again.',
    )
    .argument('<name>', 'name of the token, for lists and logs')
    .addOption(
      new Option('--scope <scope...>', 'what the token may do')
        .choices(COMMANDER_SCOPES)
        .makeOptionMandatory(),
    )
    .option('--library <name...>', 'names of the libraries that the library scopes apply to')
    .option('--all-libraries', 'the library scopes apply to all libraries')
    .option('--lookup <name...>', 'names of the lookups that the iplookup scopes apply to')
    .option('--all-lookups', 'the iplookup scopes apply to all lookups')
    .option(
      '--expires-in <duration>',
      'how long the token is valid, such as 12h or 90d, at most 3650d (default: until revoked)',
      parseLifetime,
    )
    .addHelpText('after', AFTER_HELP)
    .action(async (name: string, flags: CreateFlags) => {
      const { create } = await import('./token-commands.js');
      await create(context, name, flags);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description(
      'List the tokens, with the hour of their last use. Those that expired or were revoked more than 30 days ago are removed when the next token is created.',
    )
    .action(async () => {
      const { list } = await import('./token-commands.js');
      await list(context);
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('Revoke a token: a running server rejects it within a second.')
    .argument('<token>', 'id or name of the token')
    .action(async (which: string) => {
      const { revoke } = await import('./token-commands.js');
      await revoke(context, which);
    });
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ten years. */
const MAX_LIFETIME_MS = 3_650 * 86_400_000;

function parseLifetime(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,8})\s*([mhd])$/.exec(text) ?? [];
  const lifetimeMs = Number(count) * (UNITS_MS[unit] ?? NaN);
  if (lifetimeMs <= MAX_LIFETIME_MS) return lifetimeMs;
  throw new InvalidArgumentError('It must be a number with m, h or d, such as 12h or 90d, at most 3650d.');
}
