import fc from 'fast-check';
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
  ['an empty file', '# nothing\n', {}],
])('%s', (_case, text, values) => {
  expect(parseYaml(text, 'a.yaml').faults).toEqual([]);
  expect(valuesOf(text)).toEqual(values);
});

test.each([
  ['a list of sections', '- secret', ['a.yaml:1']],
  ['a section that is a scalar', '\nx: secret', ['a.yaml:2']],
  ['a key that is a mapping', 'x:\n  a: {secret: 1}', ['a.yaml:2']],
  ['a sequence of mappings', 'x:\n  a: [{secret: 1}]', ['a.yaml:2']],
  ['broken YAML', 'x:\n  a: "secret', ['a.yaml:2']],
  ['a key twice', 'x:\n  a: secret\n  a: secret', ['a.yaml:3']],
  ['two broken places', 'x:\n  a: 1\n  a: secret\n  b: 1\n  b: secret', ['a.yaml:3', 'a.yaml:5']],
  ['an alias of nothing', 'x:\n  a: *secret', ['a.yaml:2']],
])('%s is a fault with its line that shows no value', (_case, text, places) => {
  const { faults } = parseYaml(text, 'a.yaml');
  expect(faults.map((fault) => fault.split(': ')[0])).toEqual(places);
  expect(faults.join()).not.toContain('secret');
});

test('no text makes it throw', () => {
  const yamlish = fc.string({ unit: fc.constantFrom(...'a:1 \n-[]{}"\'&*!|>#,?%') });
  fc.assert(fc.property(yamlish, (text) => expect(() => parseYaml(text, 'a.yaml')).not.toThrow()));
});
