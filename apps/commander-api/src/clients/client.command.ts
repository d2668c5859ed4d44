import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { type Product, PRODUCTS } from '@svc/client-metadata/conversion';
import type { CommandContext } from '../command-line/command-context.js';
import type { DeclarationFormat } from './format-declarations.js';
import type { ListFlags, RotateFlags } from './run-clients.js';
import type { RecommendationFlags } from './run-recommendations.js';
import type { RedirectFlags } from './run-redirects.js';
import type { ImportFlags } from './run-import.js';

const AFTER_CLIENT = `
All commands except validate, and import-from without --to, use a registry: the one at registry.url (import-from: at
--to), with the API token in registry.token. Set the token with SVCCMD_REGISTRY_TOKEN, or put it in a file and set
SVCCMD_REGISTRY_TOKEN_FILE. It cannot be passed as an argument, since other users could see it.`;

const AFTER_VALIDATE = `
A file contains one client, a list of clients, or several YAML documents; an .ndjson file one client per line, as in
exports. Each client is an object of client metadata, with its client_id unless the registry is to choose one:

  client_id: my-app
  client_name: My application
  redirect_uris:
    - https://app.example.com/callback
  code_challenge_method: S256

Without --features, only the values allowed by default are accepted. To validate against what a registry supports:
  curl -H "Authorization: Bearer $TOKEN" https://registry.example.com/client/features > features.json
Declarations may contain secrets or their hashes if the registry imports them (SECRET_IMPORT=allowed). Only the
registry validates the strength of secrets.`;

const AFTER_APPLY = `
Clients whose client_id is not registered are created, all others are updated. Omitted fields get their defaults, but
enabled keeps its value unless declared. Either all changes are made, in one transaction, or none.
A declared client that exists but is not managed by the set of --set is a conflict; without --set, one that is managed
by any set. If there is a conflict, nothing is changed, unless --take-over is given.
The secret of a new client is printed once; --secrets-to writes it to a file instead, as one JSON object per line.`;

const AFTER_EXPORT = `
Applying an export changes nothing. Exports never contain secrets.`;

const AFTER_IMPORT = `
Prints declarations for client apply; standard error reports dropped fields, and clients that are skipped or invalid. Ids
are kept. Clients that the registry would reject are left out, and the exit code is 1. Without --features, only the
values allowed by default are accepted. With --to, the clients are imported into that registry directly, converted to
what it supports.
Secrets are not imported: the registry creates new ones. --with-secrets, which requires --output, --to or --dry-run, imports
them or their hashes, too, if the registry has SECRET_IMPORT=allowed and the token has the scope clients:import_secrets.
With --output, they are written to that file; they are never printed.`;

const AFTER_DELETE = `
Asks for confirmation on a terminal; elsewhere, --yes is required. If one of the clients changes in the meantime, none
is deleted.`;

const AFTER_ROTATE = `
Prints only the new secret, on one line. With --overlap, the previous secret stays valid for that time; without, it is
revoked immediately, which requires confirmation or --yes.`;

const AFTER_REDIRECT_ADD = `
With --expires-in, the URI fails every check once it has expired, and the registry soon removes it. Adding it again sets a new
expiry or, without --expires-in, makes it permanent.`;

const AFTER_EXPLAIN = `
Paste the whole address that the browser shows, in quotes. Prints the violated rules, the nearest registered redirect URI, when
such a request last worked, and the change that broke it. Only the parameters that a check needs are sent to the
registry: not state, nonce or login hints. Other users can see arguments: pipe the URL in where that matters.`;

const AFTER_RECOMMENDATIONS = `
Each recommendation is based on how the client was used: it would have rejected none of the client's recorded requests.
Nothing is changed. With --json, each recommendation has its evidence, and an etag to send as If-Match with the request
that carries it out.`;

const FILES = 'YAML, JSON or NDJSON files, or folders of them; - for standard input';
const SECRETS_TO = 'write new secrets to this new file, readable only by its owner, instead of printing them';

/** Loaded when a command runs. */
const clients = async () => import('./run-clients.js');
const redirects = async () => import('./run-redirects.js');

export function clientCommand(context: CommandContext): Command {
  const client = new Command('client')
    .description('Manage the clients of a registry, individually or from declarations.')
    .addHelpText('after', AFTER_CLIENT);
  const children = [
    validate,
    apply,
    exportDeclarations,
    importFrom,
    list,
    get,
    remove,
    rotateSecret,
    redirect,
    explain,
    recommendations,
  ];
  for (const child of children) client.addCommand(child(context));
  return client;
}

function validate(context: CommandContext): Command {
  return new Command('validate')
    .description("Validate declarations of clients against the registry's rules, without a server.")
    .argument('<files...>', FILES)
    .option('--features <file>', 'what the registry supports: a saved GET /client/features response')
    .option('--strict', 'fail on warnings, too')
    .addHelpText('after', AFTER_VALIDATE)
    .action(async (files: string[], options: { readonly features?: string; readonly strict?: true }) => {
      const { runValidate } = await import('./run-validate.js');
      await runValidate(context, files, options);
    });
}

function apply(context: CommandContext): Command {
  return new Command('apply')
    .description('Create and update the clients of a registry as declared in files.')
    .argument('<files...>', FILES)
    .option('--dry-run', 'show what would change, without changing anything')
    .option('--exit-code', 'with --dry-run: exit with 1 if anything would change')
    .option('--set <name>', 'the set that the files contain; it manages the clients that it creates')
    .option('--prune', 'with --set: delete clients of the set that are not declared, after confirmation')
    .option(
      '--take-over',
      'also change clients that another set manages or, with --set, that anything but this set manages',
    )
    .option('--yes', 'skip confirmation')
    .option('--secrets-to <file>', SECRETS_TO)
    .addHelpText('after', AFTER_APPLY)
    .action(async (files: string[], flags: object) => {
      const { runApply } = await import('./run-apply.js');
      await runApply(context, files, flags);
    });
}

function exportDeclarations(context: CommandContext): Command {
  return new Command('export')
    .description('Export the clients of the registry as declarations.')
    .argument('[client_ids...]', 'export only these clients (default: all)')
    .addOption(
      new Option('--format <format>', 'output format').choices(['yaml', 'json', 'ndjson']).default('yaml'),
    )
    .addHelpText('after', AFTER_EXPORT)
    .action(async (ids: string[], { format }: { readonly format: DeclarationFormat }) =>
      (await clients()).exportDeclarations(context, ids, format),
    );
}

function importFrom(context: CommandContext): Command {
  return new Command('import-from')
    .description("Convert another product's clients to declarations, or import them into a registry.")
    .addArgument(new Argument('<product>', 'where the clients come from').choices(Object.keys(PRODUCTS)))
    .argument('<file>', 'its export; - for standard input')
    .option('--dry-run', 'show a table of what would be written')
    .option('--output <file>', 'write the declarations to this file instead of standard output')
    .option('--features <file>', 'what the registry supports: a saved GET /client/features response')
    .option(
      '--with-secrets',
      'import the secrets or their hashes, too; --output must then name a new file, which only you can read',
    )
    .option('--to <url>', 'import the clients into this registry, with the token in registry.token')
    .option('--set <name>', 'with --to: the set that manages the clients')
    .option(
      '--take-over',
      'with --to: also change clients that another set manages or, with --set, that anything but this set manages',
    )
    .option('--secrets-to <file>', `with --to: ${SECRETS_TO}`)
    .addHelpText('after', AFTER_IMPORT)
    .action(async (product: Product, file: string, flags: ImportFlags) => {
      if (flags.to !== undefined) {
        const { runImportTo } = await import('./run-import-to.js');
        return runImportTo(context, product, file, flags);
      }
      const { runImport } = await import('./run-import.js');
      return runImport(context, product, file, flags);
    });
}

function list(context: CommandContext): Command {
  return new Command('list')
    .description('List the clients of the registry.')
    .option('--search <text>', 'show only clients with this text in their name, client_id or a URI')
    .option('--enabled', 'show only enabled clients')
    .addOption(new Option('--disabled', 'show only disabled clients').conflicts('enabled'))
    .addOption(
      new Option('--pending', 'show only clients from open registration that await approval').conflicts(
        'enabled',
      ),
    )
    .option(
      '--label <label...>',
      'show only clients with these labels: key:value, or a key alone for any value',
    )
    .option('--sort <field>', 'sort by client_name, created_at, updated_at, ...; prefix with - to reverse')
    .option('--limit <count>', 'maximum number of clients to list', parseLimit, 100)
    .action(async (flags: ListFlags) => (await clients()).list(context, flags));
}

function get(context: CommandContext): Command {
  return new Command('get')
    .description('Show a client with all its fields, in YAML.')
    .argument('<client_id>')
    .action(async (id: string) => (await clients()).get(context, id));
}

function remove(context: CommandContext): Command {
  return new Command('delete')
    .description('Delete the named clients: all of them or, if one cannot be deleted, none.')
    .addArgument(new Argument('<client_ids...>'))
    .option('--yes', 'skip confirmation')
    .addHelpText('after', AFTER_DELETE)
    .action(async (ids: string[], { yes = false }: { readonly yes?: boolean }) =>
      (await clients()).deleteClients(context, ids, yes),
    );
}

function rotateSecret(context: CommandContext): Command {
  return new Command('rotate-secret')
    .description('Create a new client_secret for a client and print it.')
    .argument('<client_id>')
    .option('--overlap <duration>', 'how long the previous secret stays valid, such as 24h')
    .option('--yes', 'skip confirmation')
    .option('--secrets-to <file>', SECRETS_TO)
    .addHelpText('after', AFTER_ROTATE)
    .action(async (id: string, flags: RotateFlags) => (await clients()).rotateSecret(context, id, flags));
}

function redirect(context: CommandContext): Command {
  const add = new Command('add')
    .description('Add a permanent or temporary redirect URI.')
    .argument('<client_id>')
    .argument('<redirect_uri>')
    .option(
      '--expires-in <duration>',
      'how long the URI is valid, such as 7d, from 1m (minute) to 90d (default: forever)',
    )
    .option('--note <text>', 'what the URI is for; requires --expires-in')
    .addHelpText('after', AFTER_REDIRECT_ADD)
    .action(async (id: string, uri: string, flags: RedirectFlags) =>
      (await redirects()).addRedirect(context, id, uri, flags),
    );
  const removeOne = new Command('remove')
    .description('Remove a redirect URI; succeeds even if it is not registered.')
    .argument('<client_id>')
    .argument('<redirect_uri>')
    .action(async (id: string, uri: string) => (await redirects()).removeRedirect(context, id, uri));
  return new Command('redirect')
    .description('Add and remove redirect URIs one at a time, safely from many pipelines at once.')
    .addCommand(add)
    .addCommand(removeOne);
}

function explain(context: CommandContext): Command {
  return new Command('explain')
    .description('Explain why the registry rejects an authorization request.')
    .argument('[url]', 'URL of the request; - for standard input', '-')
    .addHelpText('after', AFTER_EXPLAIN)
    .action(async (url: string) => {
      const { runExplain } = await import('./run-explain.js');
      await runExplain(context, url);
    });
}

function recommendations(context: CommandContext): Command {
  return new Command('recommendations')
    .description('Recommend stricter settings that would not have rejected any recorded request.')
    .option('--kind <kinds...>', 'show only these kinds, such as use_full_match or disable')
    .option('--label <labels...>', 'show only clients with these labels, such as team:shop')
    .option(
      '--days <count>',
      'how many days of usage to base the recommendations on, from 7 to 90 (default: 30)',
    )
    .addHelpText('after', AFTER_RECOMMENDATIONS)
    .action(async (flags: RecommendationFlags) => {
      const { recommendations: run } = await import('./run-recommendations.js');
      await run(context, flags);
    });
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 999999.');
  return Number(text);
}
