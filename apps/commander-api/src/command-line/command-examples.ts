/** A command line and its purpose. */
export interface CommandExample {
  readonly line: string;
  readonly does: string;
}

const example = (line: string, does: string): CommandExample => ({ line: `svccmd ${line}`, does });

/** Examples of every command, by its path, for its help and the reference. */
export const COMMAND_EXAMPLES: Readonly<Record<string, readonly CommandExample[]>> = {
  '': [
    example('config init svccmd.conf', 'create a configuration file'),
    example('-c svccmd.conf library load', 'use a configuration file'),
    example('--json config', 'print the result as JSON'),
  ],
  encpwd: [
    example('encpwd', 'prompt for the password'),
    example('encpwd < password.txt', 'read the password from a file'),
    example('encpwd --yaml', 'print !encpwd "..." for YAML'),
    example('encpwd --recipient collector.pub < password.txt', 'seal it: only collector.key decrypts it'),
    example('encpwd --set database.yaml database.password', 'prompt for it and put it into a file'),
    example('encpwd --file library/', 'encrypt every !encpwd-plain "..." in a folder'),
    example('encpwd --rotate library/*.yaml', 're-encrypt every !encpwd in these files with the first key'),
    example(
      'encpwd --rotate library/ --to-recipient collector.pub --dry-run',
      'show what would be sealed to a public key',
    ),
  ],
  decpwd: [
    example('decpwd < encrypted.txt', 'decrypt the value in a file'),
    example('decpwd --key-file old.key < encrypted.txt', 'use another key'),
  ],
  checkpwd: [
    example('checkpwd library/', 'check a folder'),
    example('checkpwd --allow checkpwd.allow library/', 'except for what a list allows'),
    example('checkpwd --fingerprints --json database.yaml', 'print fingerprints for such a list'),
  ],
  keygen: [
    example('keygen password.key', 'create a 256-bit key'),
    example('keygen new.key --with password.key', 'create a key that replaces an older one'),
    example('keygen --pair collector.key', 'create a key pair: collector.key and collector.pub'),
  ],
  client: [
    example('client validate clients/', 'validate the declarations in a folder'),
    example('client apply --dry-run clients/', 'show what would change'),
    example('client export > clients.yaml', 'export all registered clients'),
  ],
  'client validate': [
    example('client validate clients.yaml', 'validate against the values allowed by default'),
    example(
      'client validate --strict --features features.json clients/',
      'validate against what a registry supports',
    ),
  ],
  'client apply': [
    example('client apply --dry-run clients/', 'show the plan'),
    example('client apply --secrets-to new.ndjson clients/', 'apply it, writing new secrets to a file'),
    example(
      'client apply --set shop --prune --yes clients/',
      'also delete clients of the set that are not declared',
    ),
    example('client apply --set shop --take-over clients/', 'manage clients that exist already'),
    example('client apply --dry-run --exit-code clients/', 'exit with 1 if the registry has drifted'),
  ],
  'client export': [
    example('client export > clients.yaml', 'export all clients'),
    example('client export --format ndjson shop portal', 'export two clients, one per line'),
  ],
  'client import-from': [
    example(
      'client import-from keycloak --dry-run realm.json',
      "preview how a realm's clients are converted",
    ),
    example(
      'client import-from keycloak --features features.json --output clients.yaml realm.json',
      'write declarations that client apply takes',
    ),
  ],
  'client list': [
    example('client list --search shop', 'find clients by name, client_id or URI'),
    example(
      'client list --disabled --sort -updated_at',
      'list disabled clients, most recently updated first',
    ),
  ],
  'client get': [
    example('client get shop', 'show a client in YAML'),
    example('client get shop --json', 'show it in JSON'),
  ],
  'client delete': [
    example('client delete shop', 'delete a client after confirmation'),
    example('client delete --yes shop portal', 'delete both or neither, without confirmation'),
  ],
  'client rotate-secret': [
    example('client rotate-secret shop --overlap 24h', 'keep the previous secret valid for a day'),
    example(
      'client rotate-secret shop --yes --secrets-to shop.secret',
      'revoke the previous secret immediately',
    ),
  ],
  'client redirect': [
    example(
      'client redirect add shop https://beta.preview.example.com/cb --expires-in 7d --note beta',
      'for the preview of a branch',
    ),
    example('client redirect remove shop https://beta.preview.example.com/cb', 'when it is merged'),
  ],
  'client redirect add': [
    example('client redirect add shop https://shop.example.com/mobile', 'add a permanent one'),
    example(
      'client redirect add shop https://beta.preview.example.com/cb --expires-in 7d --note beta',
      'add one for a week',
    ),
  ],
  'client redirect remove': [
    example('client redirect remove shop https://beta.preview.example.com/cb', 'remove one, if it is there'),
  ],
  'client explain': [
    example(
      "client explain 'https://login.example.com/authorize?response_type=code&client_id=shop&redirect_uri=https%3A%2F%2Fshop.example.com%2Fcb%2F'",
      'paste the address of the failing request',
    ),
    example('client explain < url.txt', 'read it from a file'),
  ],
  'client recommendations': [
    example('client recommendations', 'show what can be tightened'),
    example('client recommendations --kind disable --json', 'unused clients, as JSON'),
  ],
  library: [
    example('library validate', 'validate the source'),
    example('library diff', 'show what a load would change'),
    example('library load', 'load it'),
  ],
  'library load': [
    example('library load', 'load source.path into the destination'),
    example('library load parsers', 'load the library of the section [library:parsers]'),
    example('library load --dry-run', 'show what would be written'),
    example('library load --if-changed --wait 60', 'run from a timer: do nothing if nothing changed'),
  ],
  'library diff': [
    example('library diff', 'show what a load would change'),
    example('library diff --exit-code', 'exit with 1 if anything would change'),
    example('library diff --ref my-branch --format markdown', 'as a comment on a merge request'),
  ],
  'library validate': [
    example('library validate', 'validate the configured source'),
    example('library validate ./library', 'validate a folder before committing it'),
    example(
      'library validate parsers ./library',
      'validate a folder against the rules of the library "parsers"',
    ),
  ],
  'library status': [
    example('library status', 'show the last load into the destination'),
    example('library status --drift', 'also list changes made since then'),
  ],
  'library history': [example('library history', 'list the last ten loads')],
  'library rollback': [
    example('library rollback', 'restore the previous load'),
    example('library rollback --to 7 --dry-run', 'show what restoring load 7 would write'),
    example('library rollback parsers 2', 'go back two loads of the library "parsers"'),
  ],
  'library pull': [example('library pull ./copy', 'write the stored library into a folder')],
  'library watch': [example('library watch --interval 30', 'check every 30 seconds')],
  config: [
    example('config', 'show every key, its value and where it was set'),
    example('-c my.yaml config --json', 'show the configuration in another file, as JSON'),
  ],
  'config init': [
    example('config init', 'create svccmd.conf'),
    example('config init svccmd.yaml', 'create it in YAML'),
  ],
  'config schema': [
    example('config schema > svccmd.schema.json', 'write a schema for editors that validate YAML'),
  ],
  iplookup: [
    example('iplookup from-csv sites.csv -i ipv4', 'build a lookup'),
    example('iplookup show sites 10.1.2.3', 'query it'),
  ],
  'iplookup from-csv': [
    example('iplookup from-csv sites.csv -i ipv4', 'build from addresses such as 10.1.2.3'),
    example('iplookup from-csv sites.csv -i ipv4 -g -o sites-2026', 'gzip it, under another name'),
    example(
      'iplookup from-csv sites.csv -i ipv4 --guards --max-lost 2%',
      'keep the previous lookup if the new one lacks addresses',
    ),
    example(
      'iplookup from-csv v4.csv v6.csv -i cidr -o places --join places.csv:place_id',
      'build from two files, with the columns of a third',
    ),
  ],
  'iplookup from-vendor': [
    example('iplookup from-vendor IP2LOCATION-LITE-DB1.CSV', 'derive the columns from the file name'),
    example(
      'iplookup from-vendor IP2LOCATION-LITE-DB11.IPV6.CSV.ZIP --gzip',
      'read a zipped file as downloaded',
    ),
  ],
  'iplookup announce': [example('iplookup announce', 'bring the announcements in line with the lookups')],
  'iplookup from-maxmind': [
    example('iplookup from-maxmind GeoLite2-City-CSV_20260101.zip', 'read the archive as downloaded'),
    example('iplookup from-maxmind ./GeoIP2-City-CSV_20260101 --language en,de', 'read an unpacked folder'),
  ],
  'iplookup show': [example('iplookup show sites 10.1.2.3 10.9.9.9', 'look up two addresses')],
  'iplookup sync': [
    example('iplookup sync --dry-run', 'show which declared lookups are out of date'),
    example('iplookup sync networks', 'build this one if it is out of date'),
  ],
  'iplookup explain': [
    example('iplookup explain networks 10.1.2.3', 'show where each value of an address came from'),
  ],
  'iplookup guess': [example('iplookup guess sites.csv', 'print the command that builds a lookup from it')],
  'iplookup inspect': [
    example('iplookup inspect sites', 'show metadata and counts'),
    example('iplookup inspect sites --out sites.svg', 'also draw the address space'),
  ],
  'iplookup verify': [
    example('iplookup verify sites', 'validate a lookup file'),
    example('iplookup verify sites --against sites.csv -i ipv4', 'also compare it with its CSV file'),
  ],
  'iplookup diff': [example('iplookup diff old.mmdb sites', 'show networks with different records')],
  'iplookup dump': [example('iplookup dump sites > sites.csv', 'convert it back to CSV')],
  'iplookup versions': [example('iplookup versions sites', 'list the previous versions of a lookup')],
  'iplookup rollback': [
    example('iplookup rollback sites', 'restore the most recent previous version'),
    example('iplookup rollback sites --to 1', 'restore version 1'),
  ],
  'iplookup delete': [example('iplookup delete sites', 'delete a lookup file')],
  token: [
    example(
      'token create writer --scope passwords:encrypt',
      'create a token that can only encrypt passwords',
    ),
    example('token list', 'list the tokens'),
  ],
  'token create': [
    example(
      'token create geo --scope iplookup:read iplookup:write --lookup sites --expires-in 90d',
      'create a token for one lookup, for 90 days',
    ),
    example(
      'token create loader --scope library:write --all-libraries > loader.token',
      'create a token that can load every library',
    ),
  ],
  'token list': [example('token list --json', 'list the tokens as JSON')],
  'token revoke': [example('token revoke writer', 'revoke a token by its name')],
  serve: [
    example('serve', 'serve on 127.0.0.1:8080'),
    example('-c /etc/svccmd.conf serve', 'serve as configured in a file'),
  ],
  completion: [
    example('completion bash', 'in ~/.bashrc: source <(svccmd completion bash)'),
    example('completion zsh', 'in ~/.zshrc, after compinit: source <(svccmd completion zsh)'),
    example('completion fish', 'in ~/.config/fish/config.fish: svccmd completion fish | source'),
  ],
};

/** The examples section of a help text; empty for a command without examples. */
export function examplesText(path: string): string {
  const examples = Object.hasOwn(COMMAND_EXAMPLES, path) ? (COMMAND_EXAMPLES[path] ?? []) : [];
  if (examples.length === 0) return '';
  const lines = examples.map(({ line, does }) => `  ${line}\n      ${does}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
