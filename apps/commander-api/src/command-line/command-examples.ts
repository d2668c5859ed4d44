/** A command line, and what it is for. */
export interface CommandExample {
  readonly line: string;
  readonly does: string;
}

const example = (line: string, does: string): CommandExample => ({ line: `svccmd ${line}`, does });

/** Examples of every command, by the words that lead to it: its help and the reference show them. */
export const COMMAND_EXAMPLES: Readonly<Record<string, readonly CommandExample[]>> = {
  '': [
    example('config init svccmd.conf', 'write a configuration file to begin with'),
    example('-c svccmd.conf library load', 'use it'),
    example('--json config', 'print the result for a program'),
  ],
  encpwd: [
    example('encpwd', 'ask for the password'),
    example('encpwd < password.txt', 'take it from a file'),
    example('encpwd --yaml', 'print !encpwd "...", as it stands in YAML'),
    example('encpwd --rotate library/*.yaml', 'encrypt every !encpwd in these files anew with the first key'),
  ],
  decpwd: [
    example('decpwd < encrypted.txt', 'decrypt what a file holds'),
    example('decpwd --key-file old.key < encrypted.txt', 'with another key'),
  ],
  keygen: [
    example('keygen password.key', 'make a key of 256 bits'),
    example('keygen new.key --with password.key', 'make a key that takes over from an older one'),
  ],
  client: [
    example('client validate clients/', 'judge the declarations of a folder'),
    example('client apply --dry-run clients/', 'show what would change'),
    example('client export > clients.yaml', 'write declarations of what is registered'),
  ],
  'client validate': [
    example('client validate clients.yaml', "judge by the specification's values"),
    example('client validate --strict --features features.json clients/', 'by those of a registry'),
  ],
  'client apply': [
    example('client apply --dry-run clients/', 'show the plan'),
    example('client apply --secrets-to new.ndjson clients/', 'apply it, and keep new secrets off the screen'),
    example('client apply --prune --yes clients/', 'delete every Client that no file declares, too'),
    example('client apply --dry-run --exit-code clients/', 'end with 1 when the registry has drifted'),
  ],
  'client export': [
    example('client export > clients.yaml', 'all Clients'),
    example('client export --format ndjson shop portal', 'two of them, one a line'),
  ],
  'client list': [
    example('client list --search shop', 'find Clients by name, client_id or URI'),
    example('client list --disabled --sort -updated_at', 'those that are disabled, the last changed first'),
  ],
  'client get': [example('client get shop', 'in YAML'), example('client get shop --json', 'in JSON')],
  'client delete': [
    example('client delete shop', 'ask, then delete'),
    example('client delete --yes shop portal', 'both or none, without asking'),
  ],
  'client rotate-secret': [
    example("client rotate-secret shop --overlap '24 h'", 'the former secret stays valid for a day'),
    example('client rotate-secret shop --yes --secrets-to shop.secret', 'it ends at once'),
  ],
  library: [
    example('library validate', 'check the source'),
    example('library diff', 'show what a load would change'),
    example('library load', 'load it'),
  ],
  'library load': [
    example('library load', 'load source.path into the destination'),
    example('library load --dry-run', 'show what would be written'),
    example('library load --if-changed --wait 60', 'for a timer: nothing to do, nothing done'),
  ],
  'library diff': [
    example('library diff', 'show what a load would change'),
    example('library diff --exit-code', 'end with 1 when that is anything'),
  ],
  'library validate': [
    example('library validate', 'check the configured source'),
    example('library validate ./library', 'check a folder before it is committed'),
  ],
  'library status': [
    example('library status', 'which load the destination stands at'),
    example('library status --drift', 'and what others changed since'),
  ],
  'library history': [example('library history', 'the last ten loads')],
  'library rollback': [
    example('library rollback', 'go back one load'),
    example('library rollback --to 7 --dry-run', 'show what going back to load 7 would write'),
  ],
  'library pull': [example('library pull ./copy', 'write what is stored into a folder')],
  'library watch': [example('library watch --interval 30', 'look every 30 seconds')],
  config: [
    example('config', 'every key, its value and where it was set'),
    example('-c my.yaml config --json', 'of another file, for a program'),
  ],
  'config init': [
    example('config init', 'write svccmd.conf'),
    example('config init svccmd.yaml', 'the same in YAML'),
  ],
  'config schema': [example('config schema > svccmd.schema.json', 'for an editor that checks YAML')],
  iplookup: [
    example('iplookup from-csv sites.csv -i ipv4', 'make a lookup'),
    example('iplookup show sites 10.1.2.3', 'ask it'),
  ],
  'iplookup from-csv': [
    example('iplookup from-csv sites.csv -i ipv4', 'addresses as in 10.1.2.3'),
    example('iplookup from-csv sites.csv -i ipv4 -g -o sites-2026', 'gzipped, under another name'),
  ],
  'iplookup from-vendor': [
    example('iplookup from-vendor IP2LOCATION-LITE-DB1.CSV', "columns by the file's name"),
    example('iplookup from-vendor IP2LOCATION-LITE-DB11.IPV6.CSV.ZIP --gzip', 'as it comes, zipped'),
  ],
  'iplookup show': [example('iplookup show sites 10.1.2.3 10.9.9.9', 'what it says of two addresses')],
  'iplookup inspect': [
    example('iplookup inspect sites', 'metadata and counts'),
    example('iplookup inspect sites --out sites.svg', 'and a picture of the address space'),
  ],
  'iplookup verify': [
    example('iplookup verify sites', 'is it sound?'),
    example('iplookup verify sites --against sites.csv -i ipv4', 'and does it say what the CSV file says?'),
  ],
  'iplookup diff': [example('iplookup diff old.mmdb sites', 'which networks have another record')],
  'iplookup dump': [example('iplookup dump sites > sites.csv', 'back to CSV')],
  serve: [
    example('serve', 'on 127.0.0.1:8080'),
    example('-c /etc/svccmd.conf serve', 'as a configuration file says'),
  ],
  completion: [
    example('completion bash', 'in ~/.bashrc: source <(svccmd completion bash)'),
    example('completion zsh', 'in ~/.zshrc, after compinit: source <(svccmd completion zsh)'),
    example('completion fish', 'in ~/.config/fish/config.fish: svccmd completion fish | source'),
  ],
};

/** The part of a help text that shows the examples; empty where there are none. */
export function examplesText(path: string): string {
  const examples = Object.hasOwn(COMMAND_EXAMPLES, path) ? (COMMAND_EXAMPLES[path] ?? []) : [];
  if (examples.length === 0) return '';
  const lines = examples.map(({ line, does }) => `  ${line}\n      ${does}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
