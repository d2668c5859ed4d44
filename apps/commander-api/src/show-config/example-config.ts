import { environmentName, type ConfigKey } from '../config/config-key.js';

/** Format of a configuration file. */
export type ConfigFormat = 'ini' | 'yaml';

/** A configuration file with every key explained and commented out, so that it changes nothing. */
export function exampleConfig(keys: readonly ConfigKey[], format: ConfigFormat): string {
  const sections = [...new Set(keys.map(({ section }) => section))];
  const blocks = sections.map((section) => {
    const own = keys.filter((key) => key.section === section);
    return `${HEADERS[format](section)}\n${own.map((key) => WRITERS[format](key)).join('\n')}`;
  });
  return `${PREAMBLES[format]}\n${blocks.join('\n')}\n${NAMED[format]}`;
}

const NAMED_COMMON = `# Several libraries: a section for each, with the keys of [source], [validate] and [destination]. Keys that a section omits
# have the values from there, except source.path, ref, subfolder and webhook_secret, and destination.path.
# Variables: SVCCMD_LIBRARY_PARSERS_SOURCE_PATH.`;

const TOKENS_COMMON = '# Tokens of the HTTP API for some libraries only.';

/** Examples of sections that a file may have several times. */
const NAMED: Readonly<Record<ConfigFormat, string>> = {
  ini: `${NAMED_COMMON}
#[library:parsers]
#source.path = git://user:deploy_token@git.example.com/parsers.git
#destination.path = /parsers

${TOKENS_COMMON}
#[token:ci]
#token_file = ci.token
#libraries = parsers
#scopes = library:read
`,
  yaml: `${NAMED_COMMON}
#library:parsers:
#  source.path: git://user:deploy_token@git.example.com/parsers.git
#  destination.path: /parsers

${TOKENS_COMMON}
#token:ci:
#  token_file: ci.token
#  libraries: parsers
#  scopes: library:read
`,
};

const COMMON = `# Configuration of svccmd and its server. Uncomment what you need. Relative paths are relative to this file.
# The variable below each key's description overrides it; with _FILE after its name it names a file with the value.`;

const PREAMBLES: Readonly<Record<ConfigFormat, string>> = {
  ini: `${COMMON}\n# Comments need their own line, since # and ; occur in values.\n`,
  yaml: `${COMMON}\n`,
};

const HEADERS: Readonly<Record<ConfigFormat, (section: string) => string>> = {
  ini: (section) => `[${section}]`,
  yaml: (section) => `${section}:`,
};

const WRITERS: Readonly<Record<ConfigFormat, (key: ConfigKey) => string>> = {
  ini: (key) => `${explain(key, '#')}\n#${key.key} = ${sample(key)}\n`,
  yaml: (key) => `${explain(key, '  #')}\n  #${key.key}: ${quote(sample(key))}\n`,
};

function explain(key: ConfigKey, comment: string): string {
  return `${comment} ${key.description}\n${comment} ${environmentName(key)}${allowed(key)}`;
}

function allowed({ type }: ConfigKey): string {
  if (typeof type === 'string') return type === 'switch' ? '; yes or no' : '';
  return 'oneOf' in type ? `; one of ${type.oneOf.join(', ')}` : `; from ${type.from} to ${type.to}`;
}

function sample(key: ConfigKey): string {
  return key.default || key.example || '';
}

function quote(text: string): string {
  return /^[\w./-]*$/.test(text) ? text : JSON.stringify(text);
}
