import fc from 'fast-check';
import { assembleConfig, type AssembledConfig } from './assemble-config.js';
import { CONFIG_KEYS } from './config-keys.js';
import { environmentName, type ParsedSource } from './config-key.js';
import { keysOf, namedKeys } from './named-sections.js';
import type { Environment } from '@svc/foundation/config';
import { parseEnvironment } from './parse-environment.js';
import { parseIni } from './parse-ini.js';
import { parseYaml } from './parse-yaml.js';

function assemble(file: ParsedSource, environment: Environment = {}): AssembledConfig {
  const keys = keysOf(file.sections);
  const variables = parseEnvironment(keys, environment, () => 'from a file\n');
  return assembleConfig(keys, [file, variables], '/etc/svc');
}

const assembleIni = (text: string, environment?: Environment) =>
  assemble(parseIni(text, 'a.conf'), environment);
const errorsOf = (text: string, environment?: Environment) => assembleIni(text, environment).errors;

function librariesOf(text: string, environment?: Environment) {
  const { config, errors } = assembleIni(text, environment);
  expect(errors).toEqual([]);
  return config.libraries;
}

const TWO = `[source]
exclude = *.md
interval = 30 s
[destination]
urls = zk:2181
auth = a:b
[library:parsers]
source.path = parsers
source.interval = 5 m
destination.path = /parsers
[library:dashboards]
source.path = git://u:t@h/d.git
destination.path = /dashboards
`;

test('libraries inherit what their sections leave out, and keep their order', () => {
  expect(librariesOf(TWO)).toMatchObject([
    {
      name: 'parsers',
      source: { path: '/etc/svc/parsers', exclude: ['*.md'], intervalMs: 300_000 },
      destination: { urls: 'zk:2181', auth: 'a:b', path: '/parsers', timeoutMs: 10_000 },
    },
    {
      name: 'dashboards',
      source: { path: 'git://u:t@h/d.git', exclude: ['*.md'], intervalMs: 30_000 },
      destination: { urls: 'zk:2181', auth: 'a:b', path: '/dashboards' },
    },
  ]);
});

test('the same configuration in YAML gives the same libraries', () => {
  const yaml = `source: {exclude: ['*.md'], interval: 30 s}
destination: {urls: 'zk:2181', auth: 'a:b'}
library:parsers:
  source.path: parsers
  source.interval: 5 m
  destination.path: /parsers
library:dashboards: {source.path: 'git://u:t@h/d.git', destination.path: /dashboards}
`;
  const { config, errors } = assemble(parseYaml(yaml, 'a.yaml'));
  expect(errors).toEqual([]);
  expect(config).toEqual(assembleIni(TWO).config);
});

test('source.path, ref, subfolder, webhook_secret and destination.path are not inherited', () => {
  const plain = ['[source]', 'path=a', 'ref=main', 'subfolder=x', `webhook_secret=${'s'.repeat(32)}`].join(
    '\n',
  );
  const [unnamed, named] = librariesOf(`${plain}\n[destination]\npath=/own\n[library:parsers]`);
  expect(unnamed).toMatchObject({ source: { ref: 'main', subfolder: 'x' }, destination: { path: '/own' } });
  expect(named!.name).toBe('parsers');
  expect(named!.destination.path).toBe('/library');
  for (const key of ['path', 'ref', 'subfolder', 'webhook_secret'] as const)
    expect(named!.source[key]).toBeUndefined();
});

test('an empty value selects the default instead of the inherited value', () => {
  const [library] = librariesOf(
    '[source]\nexclude=*.md\ninterval=5\n[library:a]\nsource.exclude=\nsource.interval=',
  );
  expect(library!.source.exclude).toEqual([]);
  expect(library!.source.intervalMs).toBeUndefined();
});

test.each([
  ['without named ones', '', [undefined]],
  [
    'beside named ones if it has a source',
    '[source]\npath=a\n[destination]\npath=/a\n[library:b]',
    [undefined, 'b'],
  ],
  ['only if [source] has a path', '[source]\ninterval=5\n[library:b]', ['b']],
])('there is an unnamed library %s', (_case, text, names) => {
  expect(librariesOf(text).map(({ name }) => name)).toEqual(names);
});

describe('the environment', () => {
  const variables = (environment: Environment) =>
    librariesOf('[destination]\nurls=zk:2181\n[library:dash-boards]\nsource.path=a', environment)[0]!;

  test('overrides the keys of a named library', () => {
    const library = variables({
      SVCCMD_LIBRARY_DASH_BOARDS_SOURCE_PATH: '/b',
      SVCCMD_LIBRARY_DASH_BOARDS_DESTINATION_AUTH_FILE: '/run/secrets/auth',
    });
    expect(library).toMatchObject({ source: { path: '/b' }, destination: { auth: 'from a file' } });
  });

  test('of a plain section applies to all libraries whose sections lack the key', () => {
    const [a, b] = librariesOf(
      '[library:a]\nsource.interval=7\ndestination.path=/a\n[library:b]\ndestination.path=/b',
      { SVCCMD_SOURCE_INTERVAL: '9' },
    );
    expect([a!.source.intervalMs, b!.source.intervalMs]).toEqual([7_000, 9_000]);
  });

  test('configures libraries whose names look like a Kubernetes service', () => {
    const path = 'SVCCMD_LIBRARY_PORT_8080_TCP_SOURCE_PATH';
    expect(librariesOf('[library:port-8080-tcp]', { [path]: '/b' })[0]?.source.path).toBe('/b');
    expect(errorsOf('[library:a]', { SVCCMD_LIBRARY_PORT_8080_TCP_ADDR: '10.0.0.1' })).toEqual([]);
  });

  test.each([
    [
      'of a library that has no section',
      { SVCCMD_LIBRARY_PARSRES_SOURCE_PATH: 'x' },
      'SVCCMD_LIBRARY_PARSRES_SOURCE_PATH: the configuration file has no such section; variables can only override sections that it has',
    ],
    [
      'of a token that has no section, in a file',
      { SVCCMD_TOKEN_CI_TOKEN_FILE: 'x' },
      'SVCCMD_TOKEN_CI_TOKEN_FILE: the configuration file has no such section; variables can only override sections that it has',
    ],
    [
      'with a mistyped key',
      { SVCCMD_LIBRARY_PARSERS_SOURCE_INTERVALL: '5' },
      'SVCCMD_LIBRARY_PARSERS_SOURCE_INTERVALL: unknown key library:parsers.source_intervall; did you mean source.interval?',
    ],
  ])('a variable %s is an error', (_case, environment, error) => {
    expect(errorsOf('[library:parsers]', environment)).toEqual([error]);
  });

  test.each(['SVCCMD_LIBRARY_PORT', 'SVCCMD_LIBRARY_OWNER', 'SVCCMD_TOKEN_FILE', 'SVCCMD_TOKENS'])(
    '%s is ignored',
    (name) => expect(errorsOf('', { [name]: 'x' })).toEqual([]),
  );

  test('no two keys share a variable', () => {
    const names = ['a', 'a-source', 'a-destination', 'a-b', 'token', 'source-token'];
    const keys = [
      ...CONFIG_KEYS,
      ...names.flatMap((name) => [...namedKeys(`library:${name}`), ...namedKeys(`token:${name}`)]),
    ];
    const variables = keys.map(environmentName);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

test.each([
  ['a capital letter', '[library:Parsers]\nsource.path=a'],
  ['a leading digit', '[library:2]'],
  ['consecutive hyphens', '[library:a--b]'],
  ['a trailing hyphen', '[library:a-]'],
  ['more than 40 characters', `[library:${'a'.repeat(41)}]`],
  ['no characters', '[library:]'],
])('a name with %s is an error', (_case, text) => {
  expect(errorsOf(text)).toEqual([
    'a.conf:1: the name in [library:<name>] must start with a lower-case letter, followed by lower-case letters, digits and single hyphens, at most 40 characters in total',
  ]);
});

test.each([
  [
    'an unknown key, with the nearest one',
    '[library:a]\nsource.pth=x',
    'a.conf:2: unknown key library:a.source.pth; did you mean source.path?',
  ],
  [
    'a key of another section',
    '[library:a]\nhttp.port=1',
    expect.stringMatching(/^a\.conf:2: unknown key library:a\.http\.port; known: source\.path, /),
  ],
  [
    'a key twice',
    '[library:a]\nsource.path=x\n[library:a]\nsource.path=y',
    'a.conf:4: library:a.source.path is already set at a.conf:2; keep one of them',
  ],
  [
    'an invalid value',
    '[library:a]\nsource.interval=often',
    'a.conf:2: library:a.source.interval must be a number of seconds or a number with ms, s, m, h or d, at most 24 d',
  ],
  [
    'a mistyped group',
    '[libraries:a]\nsource.path=x',
    expect.stringContaining('a.conf:2: unknown section [********]; known: pwdencryptor, source, '),
  ],
])('%s is an error', (_case, text, error) => {
  expect(errorsOf(text)).toEqual([error]);
});

test('a duplicate section in YAML is an error that names it', () => {
  const { errors } = assemble(parseYaml('library:a: {}\nlibrary:a: {}\n', 'a.yaml'));
  expect(errors).toEqual(['a.yaml:2: library:a is already defined at a.yaml:1; merge the two']);
});

test('more than a hundred libraries are refused', () => {
  const text = Array.from({ length: 101 }, (_, index) => `[library:l${index}]\ndestination.path=/l${index}`);
  expect(errorsOf(text.slice(0, 100).join('\n'))).toEqual([]);
  expect(errorsOf(text.join('\n'))).toEqual(['a.conf:201: more than 100 sections [library:<name>]']);
});

describe('destinations', () => {
  const pair = (a: string, b: string) =>
    errorsOf(`[library:one]\n${a}\n[library:two]\n${b}`.replaceAll(/^(urls|path)/gm, 'destination.$1'));

  test('the same one is refused, naming both libraries', () => {
    expect(pair('urls=zk:2181\npath=/a', 'urls=ZK:2181,zk2\npath=a/')).toEqual([
      'the destinations of [library:one] and [library:two] overlap (/a at zk:2181): a load of one could remove nodes or records of the other; change destination.path of either',
    ]);
    expect(errorsOf('[source]\npath=x\n[destination]\nurls=zk\n[library:two]')).toEqual([
      expect.stringMatching(/^the destinations of \[source\] and \[library:two\] overlap /),
    ]);
  });

  test.each([
    ['one within the other', 'urls=zk\npath=/a', 'urls=zk\npath=/a/b', true],
    ['one within the other by its chroot', 'urls=zk/a\npath=/b', 'urls=zk\npath=/a/b/c', true],
    ['side by side', 'urls=zk\npath=/a', 'urls=zk\npath=/ab', false],
    ['of the same path in other clusters', 'urls=zk\npath=/a', 'urls=zk:2182\npath=/a', false],
    ['on a server with a trailing dot', 'urls=zk.example.\npath=/a', 'urls=zk.example:2181\npath=/a', true],
    ['on an IPv6 server, spelled differently', 'urls=[::1]\npath=/a', 'urls=[0:0::0001]\npath=/a', true],
    ['on an IPv4 server, once mapped', 'urls=127.0.0.1\npath=/a', 'urls=[::FFFF:7f00:1]\npath=/a', true],
    ['on different IPv6 servers', 'urls=[::1]\npath=/a', 'urls=[::2]\npath=/a', false],
    ['one of them among the records of the other', 'urls=zk/a\npath=/b', 'urls=zk\npath=/a/svccmd/b', true],
    ['one of them around the records of the other', 'urls=zk/a/b\npath=/b', 'urls=zk\npath=/a/b', true],
    [
      'one of them among its records in a folder',
      'urls=file:///d\npath=/a',
      'urls=file:///d/.svccmd\npath=/b',
      true,
    ],
    ['with common records', 'urls=file:///d\npath=/a', 'urls=file:///d\npath=/b', false],
    ['one of which is not set', 'urls=zk', '', false],
    ['that are the same folder', 'urls=file:///d\npath=/a/b', 'urls=file:///d/a/\npath=b', true],
    ['in a folder and a cluster', 'urls=file:///a\npath=/a', 'urls=zk\npath=/a', false],
  ])('%s', (_case, a, b, isRefused) => {
    expect(pair(a, b)).toHaveLength(isRefused ? 1 : 0);
    expect(pair(b, a)).toHaveLength(isRefused ? 1 : 0);
  });

  test('overlap exactly if the names of one begin with those of the other', () => {
    const names = fc.array(fc.constantFrom('a', 'ab', 'b'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(names, names, fc.nat(3), (a, b, cut) => {
        const chroot = a.slice(0, Math.min(cut, a.length - 1));
        const first = `urls=zk${chroot.map((name) => `/${name}`).join('')}\npath=${a.slice(chroot.length).join('/')}`;
        const isNaive = a.every((name, index) => index >= b.length || name === b[index]);
        expect(pair(first, `urls=zk\npath=/${b.join('//')}/`)).toHaveLength(isNaive ? 1 : 0);
      }),
    );
  });
});

describe('tokens', () => {
  const LIBRARY = '[library:parsers]\n';

  test('may read the libraries they name, unless scopes says otherwise', () => {
    const text = `${LIBRARY}[token:ci]\ntoken_file=ci.token\nlibraries=parsers\n[token:deploy]\nlibraries=parsers\nscopes=library:read, library:write`;
    const { config, errors } = assembleIni(text, { SVCCMD_TOKEN_DEPLOY_TOKEN: 'secret' });
    expect(errors).toEqual([]);
    expect(config.tokens).toEqual([
      { name: 'ci', token_file: '/etc/svc/ci.token', libraries: ['parsers'], scopes: ['library:read'] },
      { name: 'deploy', token: 'secret', libraries: ['parsers'], scopes: ['library:read', 'library:write'] },
    ]);
  });

  test('that only read lookups name no library', () => {
    const { config, errors } = assembleIni('[token:parser]\ntoken=x\nscopes=iplookup:read');
    expect(errors).toEqual([]);
    expect(config.tokens).toEqual([{ name: 'parser', token: 'x', libraries: [], scopes: ['iplookup:read'] }]);
  });

  test.each([
    ['no library', 'token=x', 'token:ci.libraries must name at least one library'],
    [
      'a library that is not configured',
      'token=x\nlibraries=parsers,other',
      'token:ci.libraries names a library without a section [library:<name>]; configured: parsers',
    ],
    ['no token', 'libraries=parsers', 'token:ci: set token, preferably in the environment, or token_file'],
    [
      'a scope of something else',
      'token=x\nlibraries=parsers\nscopes=library:read,iplookup:write',
      'token:ci.scopes may only contain library:read, library:write, iplookup:read',
    ],
  ])('with %s are refused', (_case, lines, error) => {
    expect(errorsOf(`${LIBRARY}[token:ci]\n${lines}`)).toEqual([error]);
  });
});
