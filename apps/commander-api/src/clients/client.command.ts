import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import type { DeclarationFormat } from './format-declarations.js';
import type { ListFlags, RotateFlags } from './run-clients.js';

const AFTER_CLIENT = `
All but validate work on the registry of registry.url, with the API token of registry.token: best in the environment as
SVCCMD_REGISTRY_TOKEN, or in a file that SVCCMD_REGISTRY_TOKEN_FILE names; never an argument, which others can see.`;

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

const AFTER_APPLY = `
Each Client becomes as its declaration says: created when there is none of its client_id, else updated; what is left out
gets its default, and enabled stays as it is unless it is declared. All of it happens in one transaction, or none.
The secret of a new Client is shown once, here; --secrets-to writes it to a file instead, one JSON object a line.`;

const AFTER_EXPORT = `
What comes out, apply takes back without a change. It never holds a secret.`;

const AFTER_DELETE = `
On a terminal you are asked first; elsewhere --yes is needed. If somebody changes one of the Clients meanwhile, none is
deleted.`;

const AFTER_ROTATE = `
Standard output gets the new secret alone, on one line. With --overlap the former one stays valid beside it so long;
without, it ends at once, so you are asked first, or --yes is needed.`;

const FILES = 'YAML, JSON or NDJSON files, or folders of them; - is standard input';
const SECRETS_TO = 'write new secrets to this new file, for its owner only, and show none';

/** What the commands do: loaded when one runs. */
const clients = async () => import('./run-clients.js');

export function clientCommand(context: CommandContext): Command {
  const client = new Command('client')
    .description('Keeps the Clients of a registry as declarations.')
    .addHelpText('after', AFTER_CLIENT);
  const children = [validate, apply, exportDeclarations, list, get, remove, rotateSecret];
  for (const child of children) client.addCommand(child(context));
  return client;
}

function validate(context: CommandContext): Command {
  return new Command('validate')
    .description('Judges declarations of Clients as the registry will, without a server.')
    .argument('<files...>', FILES)
    .option('--features <file>', 'what the registry supports: a saved answer of GET /client/features')
    .option('--strict', 'fail on warnings too')
    .addHelpText('after', AFTER_VALIDATE)
    .action(async (files: string[], options: { readonly features?: string; readonly strict?: true }) => {
      const { runValidate } = await import('./run-validate.js');
      await runValidate(context, files, options);
    });
}

function apply(context: CommandContext): Command {
  return new Command('apply')
    .description('Brings the Clients of the registry to what declarations say.')
    .argument('<files...>', FILES)
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--exit-code', 'with --dry-run: end with 1 when something would change')
    .option('--prune', 'delete the Clients that no declaration is of; asks first')
    .option('--yes', 'do not ask')
    .option('--secrets-to <file>', SECRETS_TO)
    .addHelpText('after', AFTER_APPLY)
    .action(async (files: string[], flags: object) => {
      const { runApply } = await import('./run-apply.js');
      await runApply(context, files, flags);
    });
}

function exportDeclarations(context: CommandContext): Command {
  return new Command('export')
    .description('Prints the Clients of the registry as declarations.')
    .argument('[client_ids...]', 'these only; without any, all')
    .addOption(
      new Option('--format <format>', 'how they are written')
        .choices(['yaml', 'json', 'ndjson'])
        .default('yaml'),
    )
    .addHelpText('after', AFTER_EXPORT)
    .action(async (ids: string[], { format }: { readonly format: DeclarationFormat }) =>
      (await clients()).exportDeclarations(context, ids, format),
    );
}

function list(context: CommandContext): Command {
  return new Command('list')
    .description('Lists the Clients of the registry.')
    .option('--search <text>', 'only those with this text in their name, client_id or a URI')
    .option('--enabled', 'only those that are enabled')
    .addOption(new Option('--disabled', 'only those that are disabled').conflicts('enabled'))
    .option('--sort <field>', 'by client_name, created_at, updated_at, ...; a minus in front turns it round')
    .option('--limit <count>', 'at most so many', parseLimit, 100)
    .action(async (flags: ListFlags) => (await clients()).list(context, flags));
}

function get(context: CommandContext): Command {
  return new Command('get')
    .description('Prints all that the registry tells of a Client, in YAML.')
    .argument('<client_id>')
    .action(async (id: string) => (await clients()).get(context, id));
}

function remove(context: CommandContext): Command {
  return new Command('delete')
    .description('Deletes Clients, all of them or none.')
    .addArgument(new Argument('<client_ids...>'))
    .option('--yes', 'do not ask')
    .addHelpText('after', AFTER_DELETE)
    .action(async (ids: string[], { yes = false }: { readonly yes?: boolean }) =>
      (await clients()).deleteClients(context, ids, yes),
    );
}

function rotateSecret(context: CommandContext): Command {
  return new Command('rotate-secret')
    .description('Makes a new client_secret for a Client, and prints it.')
    .argument('<client_id>')
    .option('--overlap <duration>', "how long the former secret stays valid, such as '24 h'")
    .option('--yes', 'do not ask')
    .option('--secrets-to <file>', SECRETS_TO)
    .addHelpText('after', AFTER_ROTATE)
    .action(async (id: string, flags: RotateFlags) => (await clients()).rotateSecret(context, id, flags));
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 999999.');
  return Number(text);
}
