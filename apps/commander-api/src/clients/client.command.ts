import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';

interface ValidateOptions {
  readonly features?: string;
  readonly strict?: true;
}

const AFTER_VALIDATE = `
A file holds one Client, a list of Clients, or several YAML documents; .ndjson one Client a line, as exports have it.
Each is an object of client metadata with its client_id (or none, when the registry shall choose one):

  client_id: my-app
  client_name: My application
  redirect_uris:
    - https://app.example.com/callback
  code_challenge_method: S256

Without --features the specification's values are allowed. To allow what a registry supports:
  curl -H "Authorization: Bearer $TOKEN" https://registry.example.com/client/features > features.json`;

export function clientCommand(context: CommandContext): Command {
  return new Command('client')
    .description('Keeps declarations of Clients.')
    .addCommand(validateCommand(context));
}

function validateCommand(context: CommandContext): Command {
  return new Command('validate')
    .description('Judges declarations of Clients as the registry will, without a server.')
    .argument('<files...>', 'YAML, JSON or NDJSON files; - is standard input')
    .option('--features <file>', 'what the registry supports: a saved answer of GET /client/features')
    .option('--strict', 'fail on warnings too')
    .addHelpText('after', AFTER_VALIDATE)
    .action(async (files: string[], options: ValidateOptions) => {
      const { runValidate } = await import('./run-validate.js');
      await runValidate(context, files, options);
    });
}
