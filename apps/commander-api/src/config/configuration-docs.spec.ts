import { readFileSync } from 'node:fs';
import type { ConfigKey } from './config-key.js';
import { CONFIG_KEYS } from './config-keys.js';

const DOCS = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');

const TYPES = {
  text: 'text',
  path: 'path',
  location: 'path or URL',
  key: 'path or key',
  command: 'command',
  paths: 'list of paths',
  list: 'list',
  networks: 'list of addresses',
  schemas: 'list of schemas',
  port: 'port',
  duration: 'duration',
  bytes: 'bytes',
  switch: 'yes or no',
} as const;

function typeOf({ type, secret }: ConfigKey): string {
  if (typeof type === 'object') {
    return 'oneOf' in type
      ? type.oneOf.map((choice) => `\`${choice}\``).join(', ')
      : `number from ${type.from} to ${type.to}`;
  }
  return secret ? `${TYPES[type]}, secret` : TYPES[type];
}

/** The cells of each row of a section's table. */
function documentedRows(section: string): string[][] {
  const [, text = ''] = DOCS.split(`### [${section}]\n`);
  const [table = ''] = text.trim().split('\n\n');
  return table
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test.each([...new Set(CONFIG_KEYS.map(({ section }) => section))])(
  'docs/configuration.md describes [%s] as it is',
  (section) => {
    const rows = CONFIG_KEYS.filter((key) => key.section === section).map((key) => [
      `\`${key.key}\``,
      typeOf(key),
      key.default ? `\`${key.default}\`` : '',
      key.description,
    ]);
    expect(documentedRows(section)).toEqual(rows);
  },
);
