import fc from 'fast-check';
import { assembleConfig } from './assemble-config.js';
import { CONFIG_KEYS } from './config-keys.js';
import { NOT_ENCRYPTED } from './encrypted-value.js';
import { parseYaml } from './parse-yaml.js';

const valuesOf = (text: string) =>
  Object.fromEntries(
    parseYaml(text, 'a.yaml').settings.map(({ section, key, value }) => [`${section}.${key}`, value]),
  );

test.each([
  [
    'scalars as they are written',
    'x:\n  a: 8080\n  b: 1.10\n  c: yes\n  d: 0x1F',
    { 'x.a': '8080', 'x.b': '1.10', 'x.c': 'yes', 'x.d': '0x1F' },
  ],
  ['quoted scalars', `x: {a: "8080 #", b: 'it''s'}`, { 'x.a': '8080 #', 'x.b': "it's" }],
  ['a sequence', 'x:\n  a: [p, "q,r"]\n  b:\n    - s', { 'x.a': ['p', 'q,r'], 'x.b': ['s'] }],
  ['null and nothing', 'x:\n  a: null\n  b:\n  c: ~', { 'x.a': '', 'x.b': '', 'x.c': '' }],
  ['an alias', 'x:\n  a: &p v\n  b: *p', { 'x.a': 'v', 'x.b': 'v' }],
  ['an empty section', 'x:\ny:\n  a: 1', { 'y.a': '1' }],
  [
    'blocks, without the line break at their end',
    'x:\n  a: |\n    v\n  b: >\n    v\n    w\n  c: |\n    v\n\n    w\n',
    { 'x.a': 'v', 'x.b': 'v w', 'x.c': 'v\n\nw' },
  ],
  ['an empty file', '# nothing\n', {}],
])('%s', (_case, text, values) => {
  expect(parseYaml(text, 'a.yaml').errors).toEqual([]);
  expect(valuesOf(text)).toEqual(values);
});

test.each([
  ['a list of sections', '- secret', ['a.yaml:1']],
  ['a key that is a mapping', 'x:\n  a: {secret: 1}', ['a.yaml:2']],
  ['a sequence of mappings', 'x:\n  a: [{secret: 1}]', ['a.yaml:2']],
  ['broken YAML', 'x:\n  a: "secret', ['a.yaml:2']],
  ['two broken places', 'x:\n  a: {secret: 1}\n  b: {secret: 1}', ['a.yaml:2', 'a.yaml:3']],
  ['an alias of nothing', 'x:\n  a: *secret', ['a.yaml:2']],
])('%s is an error with its line, without values', (_case, text, places) => {
  const { errors } = parseYaml(text, 'a.yaml');
  expect(errors.map((error) => error.split(': ')[0])).toEqual(places);
  expect(errors.join()).not.toContain('secret');
});

test.each([
  ['- http', 'a.yaml:1: the file must be a mapping of sections'],
  ['http:\n  port: {a: 1}', 'a.yaml:2: http.port must be a scalar or a sequence of scalars'],
  ['http:\n  port: [1, 2]', 'a.yaml:2: http.port must be one value, not a list'],
])('%j is reported in one line', (text, error) => {
  expect(assembleConfig(CONFIG_KEYS, [parseYaml(text, 'a.yaml')], '/').errors).toEqual([error]);
});

test.each([
  ['a value', "x:\n  a: !encpwd 'secret'", 'a.yaml:2'],
  ['a value with the tag of others', 'x:\n  b: 1\n  a: !secret secret', 'a.yaml:3'],
  ['an item', 'x:\n  a: [b, !encpwd secret]', 'a.yaml:2'],
  ['a key', 'x:\n  ? !encpwd secret\n  : 1', 'a.yaml:2'],
  ['a section', 'x: !encpwd {a: secret}', 'a.yaml:1'],
  ['a tag with a prefix', '%TAG ! tag:example.com,2026:\n---\nx:\n  a: !encpwd secret', 'a.yaml:4'],
])('the tag of %s is an error with its line: nothing decrypts it', (_case, text, place) => {
  const { errors } = parseYaml(text, 'a.yaml');
  expect(errors).toEqual([`${place}: ${NOT_ENCRYPTED}`]);
});

test("tags of YAML's own are none", () => {
  expect(valuesOf('x:\n  a: !!str 8080\n  b: ! 1')).toEqual({ 'x.a': '8080', 'x.b': '1' });
  expect(parseYaml('x: {a: !!str 8080, b: ! 1}', 'a.yaml').errors).toEqual([]);
});

test('duplicate names, and values in place of sections, are reported with both places', () => {
  const text = 'http:\n  port: 1\n  auth: x\n  port: 2\n1: 2\nsource: secret\nhttp:\n  prot: 3\n';
  const { errors } = assembleConfig(CONFIG_KEYS, [parseYaml(text, 'a.yaml')], '/');
  expect(errors).toEqual([
    'a.yaml:3: http.auth must be one of token, none',
    'a.yaml:4: http.port is already set at a.yaml:2; keep one of them',
    expect.stringMatching(/^a\.yaml:5: unknown section \[1\]; known: /) as string,
    'a.yaml:6: source must be a mapping of keys',
    'a.yaml:7: http is already defined at a.yaml:1; merge the two',
    'a.yaml:8: unknown key http.prot; did you mean port?',
  ]);
});

test.each([
  ['brackets without end', '['.repeat(20_000)],
  ['mappings within mappings', '{a: '.repeat(10_000)],
  ['lists within lists', `${'- '.repeat(20_000)}a`],
])('%s are refused before they are parsed', (_case, text) => {
  expect(parseYaml(text, 'a.yaml').errors).toEqual([
    'a.yaml:1: nested too deeply; a section contains only keys',
  ]);
});

test.each([2, 300])('%d lines that hold a mapping in a mapping are reported alike', (lines) => {
  expect(parseYaml('k: v: 1\n'.repeat(lines), 'a.yaml').errors.slice(0, 2)).toEqual([
    'a.yaml:1: not valid YAML (BLOCK_AS_IMPLICIT_KEY)',
    'a.yaml:2: not valid YAML (BLOCK_AS_IMPLICIT_KEY)',
  ]);
});

test('aliases that contain themselves do no harm', () => {
  expect(parseYaml('x:\n  k: &a [*a]', 'a.yaml').errors).toHaveLength(1);
  const keys = Array.from({ length: 5_000 }, (_, index) => `  k${index}: *a`).join('\n');
  const started = process.cpuUsage();
  expect(parseYaml(`x:\n  a: &a v\n${keys}`, 'a.yaml').settings).toHaveLength(5_001);
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000);
});

const YAMLISH = fc.string({ unit: fc.constantFrom(...'a:1 \n-[]{}"\'&*!|>#,?%~\t\r') });

test('no text makes it throw', () => {
  fc.assert(
    fc.property(YAMLISH, (text) => expect(() => parseYaml(text, 'a.yaml')).not.toThrow()),
    {
      numRuns: 1_000,
    },
  );
});

test('no error for any text shows a secret in it', () => {
  const SECRET = 's3cret-s3cret';
  const around = fc.tuple(YAMLISH, YAMLISH);
  fc.assert(
    fc.property(around, ([before, after]) => {
      const { errors } = parseYaml(`x:\n  a: ${before}${SECRET}${after}`, 'a.yaml');
      expect(errors.join('\n').replace(/^a\.yaml:\d+: \S*/gm, '')).not.toContain(SECRET);
    }),
    { numRuns: 1_000 },
  );
});
