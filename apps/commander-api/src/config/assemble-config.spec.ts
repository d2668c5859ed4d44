import { assembleConfig } from './assemble-config.js';
import { CONFIG_KEYS } from './config-keys.js';
import { environmentName } from './config-key.js';
import { NOT_ENCRYPTED } from './encrypted-value.js';
import { exampleConfig } from '../show-config/example-config.js';
import { maskValue } from './mask-value.js';
import { keysOf } from './named-sections.js';
import type { Environment } from '@svc/foundation/config';
import { parseEnvironment } from './parse-environment.js';
import { parseIni } from './parse-ini.js';
import { parseYaml } from './parse-yaml.js';

const files: Record<string, string> = { '/run/secrets/auth': 'admin:s3cret\n' };
const readFile = (path: string) => {
  const content = files[path];
  if (content === undefined) throw Object.assign(new Error('no file'), { code: 'ENOENT' });
  return content;
};
const assemble = (ini: string, environment: Environment = {}) =>
  assembleConfig(
    CONFIG_KEYS,
    [parseIni(ini, 'a.conf'), parseEnvironment(CONFIG_KEYS, environment, readFile)],
    '/etc/svc',
  );
const configOf = (ini: string, environment?: Environment) => {
  const { config, errors } = assemble(ini, environment);
  expect(errors).toEqual([]);
  return { ...config, ...config.libraries[0]! };
};

test('without settings, the defaults apply', () => {
  expect(configOf('')).toMatchObject({
    source: { exclude: [] },
    destination: { path: '/library', timeoutMs: 10_000, tls: false },
    http: { address: '127.0.0.1', port: 8080, token_file: '/etc/svc/svccmd.token', auth: 'token' },
  });
  expect(configOf('').pwdencryptor).toEqual({});
});

test.each([
  ['a relative path', '[iplookup]\nsource_path = in', { iplookup: { source_path: '/etc/svc/in' } }],
  ['an absolute path', '[iplookup]\nsource_path = /in', { iplookup: { source_path: '/in' } }],
  ['a relative folder as a source', '[source]\npath = lib', { source: { path: '/etc/svc/lib' } }],
  ['a Git URL', '[source]\npath = git://u:t@h/p.git', { source: { path: 'git://u:t@h/p.git' } }],
  ['a key file', '[pwdencryptor]\nkey = k.jwk', { pwdencryptor: { key: '/etc/svc/k.jwk' } }],
  [
    'a key file of a given form',
    '[pwdencryptor]\nkey = hex:k.hex',
    { pwdencryptor: { key: 'hex:/etc/svc/k.hex' } },
  ],
  [
    'a key in hex',
    `[pwdencryptor]\nkey = hex:${'ab'.repeat(16)}`,
    { pwdencryptor: { key: `hex:${'ab'.repeat(16)}` } },
  ],
  [
    'a key in hex with spaces',
    `[pwdencryptor]\nkey = hex:${'abab '.repeat(8)}`,
    {
      pwdencryptor: { key: `hex:${'abab '.repeat(8).trim()}` },
    },
  ],
  [
    'a key in base64',
    '[pwdencryptor]\nkey = base64:AAAAAAAAAAAAAAAAAAAAAA==',
    { pwdencryptor: { key: 'base64:AAAAAAAAAAAAAAAAAAAAAA==' } },
  ],
  [
    'a raw key',
    '[pwdencryptor]\nkey = raw:0123456789abcdef',
    { pwdencryptor: { key: 'raw:0123456789abcdef' } },
  ],
  [
    'a raw key file whose name has the length of a key',
    '[pwdencryptor]\nkey = raw:conf/secret1.key',
    { pwdencryptor: { key: 'raw:/etc/svc/conf/secret1.key' } },
  ],
  ['a list', '[source]\nexclude = *.md, drafts/ ,', { source: { exclude: ['*.md', 'drafts/'] } }],
  ['seconds', '[destination]\ntimeout = 2.5', { destination: { timeoutMs: 2_500 } }],
  ['a unit', '[destination]\ntimeout = 300 ms', { destination: { timeoutMs: 300 } }],
  ['a switch', '[destination]\ntls = On', { destination: { tls: true } }],
  ['a choice in capitals', '[http]\nauth = NONE', { http: { auth: 'none' } }],
  [
    'networks',
    '[http]\ntrusted_proxies = 10.0.0.0/8, ::1',
    { http: { trusted_proxies: ['10.0.0.0/8', '::1'] } },
  ],
  [
    'schemas',
    '[validate]\nschemas = Parsers/**/*.yaml: parser.json, *.json :/etc/all.json',
    { validate: { schemas: ['Parsers/**/*.yaml: /etc/svc/parser.json', '*.json: /etc/all.json'] } },
  ],
  ['an empty value, which counts as absent', '[http]\nport =', { http: { port: 8080 } }],
])('%s', (_case, ini, config) => {
  expect(configOf(ini)).toMatchObject(config);
});

describe('the environment', () => {
  test('overrides the file', () => {
    expect(configOf('[http]\nport = 1', { SVCCMD_HTTP_PORT: '2' }).http.port).toBe(2);
  });

  test('an empty variable counts as not set', () => {
    expect(configOf('[http]\nport = 1', { SVCCMD_HTTP_PORT: '' }).http.port).toBe(1);
  });

  test('_FILE names a file with the value', () => {
    expect(configOf('', { SVCCMD_DESTINATION_AUTH_FILE: '/run/secrets/auth' }).destination.auth).toBe(
      'admin:s3cret',
    );
  });

  test('SVCCMD_HTTP_TOKEN_FILE is the key token_file itself', () => {
    expect(configOf('', { SVCCMD_HTTP_TOKEN_FILE: '/t' }).http).toMatchObject({ token_file: '/t' });
  });

  test('SVCCMD_PWDENCRYPTOR_KEY_FILE is the key file, whose content is not taken for a path', () => {
    expect(configOf('', { SVCCMD_PWDENCRYPTOR_KEY_FILE: '/run/k' }).pwdencryptor.key).toBe('/run/k');
  });

  test('variables of an orchestrator are left alone', () => {
    expect(
      configOf('', {
        SVCCMD_SERVICE_HOST: '10.0.0.1',
        SVCCMD_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
        SVCCMD_DEBUG: '1',
      }),
    ).toBeDefined();
    // What Kubernetes sets for a service named svccmd-http.
    expect(
      configOf('', {
        SVCCMD_HTTP_SERVICE_HOST: '10.0.0.1',
        SVCCMD_HTTP_SERVICE_PORT: '8080',
        SVCCMD_HTTP_SERVICE_PORT_WEB: '8080',
        SVCCMD_HTTP_PORT: 'tcp://10.0.0.1:8080',
        SVCCMD_HTTP_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
        SVCCMD_HTTP_PORT_8080_TCP_PROTO: 'tcp',
        SVCCMD_HTTP_PORT_8080_TCP_PORT: '8080',
        SVCCMD_HTTP_PORT_8080_TCP_ADDR: '10.0.0.1',
        SVCCMD_REGISTRY_PORT: 'udp://10.0.0.1:53',
      }).http.port,
    ).toBe(8080);
  });
});

/** A key of 256 bits, with the slashes that make base64 look like a path. */
const KEY = 'AAEC////AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk=';

test('the key’s origin is recorded; its default has none', () => {
  expect(configOf('[pwdencryptor]\nkey = k').pwdencryptor.keyOrigin).toBe('a.conf:2');
  expect(configOf('', { SVCCMD_PWDENCRYPTOR_KEY: 'k' }).pwdencryptor.keyOrigin).toBe(
    'SVCCMD_PWDENCRYPTOR_KEY',
  );
});

test('all errors are reported at once, each with its place and no value', () => {
  const { errors } = assemble(
    '[sorce]\npath = leaked\n[http]\nport = leaked\nauth = leaked\nprot = leaked\nport = leaked\n[destination]\ntimeout = leaked\ntls = leaked',
    { SVCCMD_HTTP_ADRESS: 'leaked', SVCCMD_SOURCE_REF_FILE: '/leaked', SVCCMD_SORCE_PATH: 'leaked' },
  );
  expect(errors).toEqual([
    'a.conf:2: unknown section [sorce]; did you mean source?',
    'a.conf:5: http.auth must be one of token, none',
    'a.conf:6: unknown key http.prot; did you mean port?',
    'a.conf:7: http.port is already set at a.conf:4; keep one of them',
    'a.conf:7: http.port must be a port from 0 to 65535',
    'a.conf:9: destination.timeout must be a number of seconds or a number with ms, s, m, h or d, at most 24 d',
    'a.conf:10: destination.tls must be one of yes, no, true, false, on, off, 1, 0',
    'SVCCMD_HTTP_ADRESS: unknown key http.adress; did you mean address?',
    'SVCCMD_SORCE_PATH: unknown section [sorce]; did you mean source?',
    'SVCCMD_SOURCE_REF_FILE: cannot read the file that it names (the file does not exist)',
  ]);
});

test('a line that is a key or token in place of a setting is not repeated', () => {
  const lines = [KEY, KEY.slice(0, 30) + '=', `${KEY} = x`, '{"k":"AAAA"} = x', 's3cret-s3cret/s3cret = 1'];
  const { errors } = assemble(`[pwdencryptor]\n${lines.join('\n')}\n[${KEY}]\na = 1`);
  expect(errors).toEqual([
    ...[2, 3].map(
      (line) => `a.conf:${line}: unknown key pwdencryptor.********; known: key, key_command, recipients`,
    ),
    'a.conf:4: pwdencryptor.******** is already set at a.conf:2; keep one of them',
    ...[5, 6].map(
      (line) => `a.conf:${line}: unknown key pwdencryptor.********; known: key, key_command, recipients`,
    ),
    expect.stringMatching(/^a\.conf:8: unknown section \[\*{8}\]; known: pwdencryptor, /) as string,
  ]);
});

test.each(['proxy', '10.0.0.0/33', '10.0.0.0/', '::/129', '10.0.0'])('%s is not a network', (value) => {
  expect(assemble(`[http]\ntrusted_proxies = ::1, ${value}`).errors).toEqual([
    'a.conf:2: http.trusted_proxies must be IP addresses or CIDR blocks, separated by commas',
  ]);
});

test('a name close to none lists the known ones', () => {
  expect(assemble('[http]\nzzzzzzzz = 1').errors[0]).toMatch(/known: address, port, auth/);
});

test('a value of the environment is not a duplicate of one in the file', () => {
  expect(assemble('[http]\nport = 1', { SVCCMD_HTTP_PORT: '2' }).errors).toEqual([]);
});

describe('masks', () => {
  const mask = (section: string, key: string, value: string) =>
    maskValue(
      CONFIG_KEYS.find((one) => one.section === section && one.key === key)!,
      value,
    );

  test.each([
    ['a secret', 'destination', 'auth', 'admin:s3cret', '********'],
    ['credentials in a URL', 'source', 'path', 'git://u:s3cret@h/p.git', 'git://********@h/p.git'],
    [
      'credentials with what ends them elsewhere',
      'source',
      'path',
      'git://u:s3/cr@et@h/p.git',
      'git://********@h/p.git',
    ],
    ['credentials in a mistyped URL', 'source', 'path', 'git:/u:s3cret@h/p.git', 'git:/********@h/p.git'],
    ['credentials in no URL', 'source', 'path', 'git/u:s3/cr@et@h/p.git', '********@h/p.git'],
    ['an @ in a path', 'source', 'path', '/srv/@svc/library', '/srv/@svc/library'],
    ['a URL without credentials', 'source', 'path', 'git://h/p.git', 'git://h/p.git'],
    ['a key in the configuration', 'pwdencryptor', 'key', `hex:${'ab'.repeat(32)}`, 'hex:********'],
    ['a key taken for a path', 'pwdencryptor', 'key', `/etc/svc/${'ab'.repeat(32)}`, '********'],
    ['a key with slashes taken for a path', 'pwdencryptor', 'key', `/etc/svc/${KEY}`, '********'],
    ['a cut key', 'pwdencryptor', 'key', `/etc/svc/${KEY.slice(0, 30)}`, '********'],
    ['a JWK taken for a path', 'pwdencryptor', 'key', '/etc/svc/{"kty":"oct","k":"AAEC"}', '********'],
    ['a key of a wrong length', 'pwdencryptor', 'key', 'hex:/etc/svc/abcdef', 'hex:********'],
    ['a key with words after it', 'pwdencryptor', 'key', 'hex:/etc/svc/abcd # a.key', 'hex:********'],
    ['a phrase', 'pwdencryptor', 'key', '/etc/svc/correct-horse', '********'],
    ['a path', 'pwdencryptor', 'key', '/etc/svc/password.jwk', '/etc/svc/password.jwk'],
    ['a file that is there, whatever its name', 'pwdencryptor', 'key', '/etc/hostname', '/etc/hostname'],
  ])('%s', (_case, section, key, value, shown) => {
    expect(mask(section, key, value)).toBe(shown);
  });
});

describe('the commented example', () => {
  test('changes nothing unless edited', () => {
    for (const [format, parse] of [['ini', parseIni] as const, ['yaml', parseYaml] as const]) {
      expect(parse(exampleConfig(CONFIG_KEYS, format), 'a')).toMatchObject({ settings: [], errors: [] });
    }
  });

  test.each([
    ['INI', exampleConfig(CONFIG_KEYS, 'ini').replace(/^#(\[|[\w.]+ =)/gm, '$1'), parseIni],
    [
      'YAML',
      exampleConfig(CONFIG_KEYS, 'yaml').replace(/^#( {2}|\w+:)|^ {2}#(?=\w+:)/gm, (_, kept = '  ') => kept),
      parseYaml,
    ],
  ])('is right once all of it is uncommented: %s', (_format, text, parse) => {
    const source = parse(text, 'a');
    const { config, errors } = assembleConfig(keysOf(source.sections), [source], '/etc/svc');
    expect(errors).toEqual([]);
    expect(config.libraries.map(({ name }) => name)).toEqual([undefined, 'parsers']);
    expect(config.tokens).toMatchObject([{ name: 'ci', libraries: ['parsers'] }]);
    expect(source.settings).toHaveLength(CONFIG_KEYS.length + 5);
  });

  test('names the variable of every key', () => {
    for (const key of CONFIG_KEYS) expect(exampleConfig(CONFIG_KEYS, 'ini')).toContain(environmentName(key));
  });
});

test('a value with the mark of an encrypted password is refused, wherever it is set', () => {
  const { errors } = assemble('[registry]\ntoken = !encpwd eyJhbGciOi\n', {
    SVCCMD_HTTP_TOKEN: '!encpwd-plain x',
  });
  expect(errors).toEqual([
    `a.conf:2: registry.token: ${NOT_ENCRYPTED}`,
    `SVCCMD_HTTP_TOKEN: http.token: ${NOT_ENCRYPTED}`,
  ]);
});
