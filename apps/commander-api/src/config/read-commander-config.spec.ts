import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommanderError } from '../errors/commander-error.js';
import { readCommanderConfig } from './read-commander-config.js';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-config-'));
  file = join(folder, 'svccmd.yaml');
});

afterEach(() => rmSync(folder, { recursive: true }));

function errorsOf(name: string, environment: Record<string, string>): string[] {
  try {
    readCommanderConfig(name, environment);
  } catch (error) {
    expect(error).toMatchObject({ name: 'CommanderError', exitCode: 3 });
    return (error as CommanderError).message.split('\n');
  }
  return [];
}

test('an unreadable file does not hide errors in the environment', () => {
  const environment = { SVCCMD_HTTP_PORT: 'x', SVCCMD_DESTINATION_AUTH_FILE: '/dev/zero' };
  const others = [
    'SVCCMD_DESTINATION_AUTH_FILE: cannot read the file that it names (it is larger than 64 KiB)',
    'SVCCMD_HTTP_PORT: http.port must be a port from 0 to 65535',
  ];
  const cannot = `${file}: the configuration file cannot be read:`;
  expect(errorsOf(file, environment)).toEqual([`${cannot} the file does not exist`, ...others]);
  writeFileSync(file, Buffer.from([0x61, 0xff]));
  expect(errorsOf(file, environment)).toEqual([`${cannot} it is not UTF-8`, ...others]);
  writeFileSync(file, Buffer.alloc(1_048_577, 0x20));
  expect(errorsOf(file, environment)).toEqual([`${cannot} it is larger than 1 MiB`, ...others]);
  const toml = join(folder, 'a.toml');
  expect(errorsOf(toml, environment)).toEqual([
    `${toml}: a configuration file must end in .conf or .ini (INI), or .yaml or .yml (YAML)`,
    ...others,
  ]);
});

test('paths in variables are relative to the configuration file, like all others', () => {
  writeFileSync(file, '');
  writeFileSync(join(folder, 'token'), 'a-token\n');
  const environment = { SVCCMD_REGISTRY_TOKEN_FILE: 'token', SVCCMD_PWDENCRYPTOR_KEY_FILE: 'k.jwk' };
  const config = readCommanderConfig(file, environment);
  expect(config.registry?.token).toBe('a-token');
  expect(config.pwdencryptor.key).toBe(join(folder, 'k.jwk'));
});
