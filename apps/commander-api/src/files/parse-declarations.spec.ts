import fc from 'fast-check';
import { parseDeclarations, parseNdjson, parseJsonLine } from './parse-declarations.js';

const valuesOf = (text: string) => parseDeclarations(text).declarations.map(({ value }) => value);

test.each([
  ['one Client', 'client_name: A', [{ client_name: 'A' }]],
  ['a list', '- client_name: A\n- client_name: B\n', [{ client_name: 'A' }, { client_name: 'B' }]],
  [
    'several documents',
    'client_name: A\n---\nclient_name: B\n',
    [{ client_name: 'A' }, { client_name: 'B' }],
  ],
  ['several lists', '- a: 1\n---\n- a: 2\n- a: 3', [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ['JSON', '{"client_name": "A"}', [{ client_name: 'A' }]],
  ['JSON indented by tabs', '[\n\t{\n\t\t"client_name": "A"\n\t}\n]', [{ client_name: 'A' }]],
  ['an anchor and its alias', 'a: &x [1]\nb: *x', [{ a: [1], b: [1] }]],
  ['a byte order mark', '\ufeffclient_name: A', [{ client_name: 'A' }]],
  ['nothing', '', []],
  ['comments', '# none yet\n', []],
  ['empty documents', '---\n---\n', []],
  ['what is no object', '- 7\n- null', [7, null]],
])('%s is read', (_case, text, values) => {
  expect(parseDeclarations(text).errors).toEqual([]);
  expect(valuesOf(text)).toEqual(values);
});

test('a member with a name from a prototype is an ordinary member', () => {
  const [value] = valuesOf('__proto__: {x: 1}\n') as object[];
  expect(Object.entries(value ?? {})).toEqual([['__proto__', { x: 1 }]]);
});

const YAML = `# Clients
- client_id: a
  client_name: A
  redirect_uris:
    - https://a.example/
    - https://b.example/
- client_id: b
  "a/b~": x
  redirect_uris: &uris [ "https://a.example/",
    "https://b.example/" ]
- redirect_uris: *uris
`;

test.each([
  [0, '', 2],
  [0, '/client_id', 2],
  [0, '/client_name', 3],
  [0, '/redirect_uris', 4],
  [0, '/redirect_uris/0', 5],
  [0, '/redirect_uris/1', 6],
  [0, '/redirect_uris/7', 5],
  [0, '/absent', 2],
  [1, '', 7],
  [1, '/a~1b~0', 8],
  [1, '/redirect_uris/0', 9],
  [1, '/redirect_uris/1', 10],
  [2, '/redirect_uris/1', 11],
])('in declaration %d, %j is on line %d', (index, pointer, line) => {
  expect(parseDeclarations(YAML).declarations[index]?.lineOf(pointer)).toBe(line);
});

test.each([
  ['a broken list', 'a: [1,\n', 2],
  ['a member twice', '{"a": 1,\n "a": 2}', 2],
  ['an unknown tag', 'a: 1\nb: !encpwd x', 2],
  ['a broken document after a good one', 'a: 1\n---\nb: [', 3],
])('%s is an error with its line', (_case, text, line) => {
  const { errors } = parseDeclarations(text);
  expect(errors.map((error) => error.line)).toEqual([line]);
  expect(errors[0]?.message).not.toContain('\n');
});

test('aliases that would expand too far are rejected', () => {
  const text = [
    'a: &a [x, x, x]',
    ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i] ?? ''}, `.repeat(9)}]`),
  ];
  expect(parseDeclarations(text.join('\n'))).toMatchObject({
    declarations: [],
    errors: [{ line: 1, message: expect.stringMatching(/alias/i) as string }],
  });
});

test('NDJSON has a Client per line', () => {
  const { declarations, errors } = parseNdjson('{"a":1}\n\n{"a":2}\r\n{"a":\n');
  expect(declarations.map(({ value, lineOf }) => [value, lineOf('/a')])).toEqual([
    [{ a: 1 }, 1],
    [{ a: 2 }, 3],
  ]);
  expect(errors.map(({ line }) => line)).toContain(4);
});

test('endless brackets are rejected before they are parsed', () => {
  expect(parseDeclarations(`a: 1\n---\n${'['.repeat(20_000)}`)).toEqual({
    declarations: [],
    errors: [{ line: 3, message: 'nested more than 200 levels deep' }],
  });
  expect(parseNdjson(`{}\n${'{"a":'.repeat(20_000)}`).errors).toEqual([
    { line: 2, message: 'nested more than 200 levels deep' },
  ]);
});

test('two or hundreds of nested compact mappings are reported alike', () => {
  const message = 'Nested mappings are not allowed in compact mappings';
  for (const lines of [2, 300, 3_000]) {
    const { errors } = parseDeclarations('k: v: 1\n'.repeat(lines));
    expect(errors.slice(0, 2)).toEqual([
      { line: 1, message },
      { line: 2, message },
    ]);
  }
});

test('no text makes it throw, and every error has a valid line', () => {
  const yamlish = fc.string({ unit: fc.constantFrom(...'a:1 \n-[]{}"\'&*!|>#,?%~\t\r') });
  fc.assert(
    fc.property(yamlish, (text) => {
      const lines = text.split('\n').length;
      for (const { line, message } of [...parseDeclarations(text).errors, ...parseNdjson(text).errors]) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines + 1);
        expect(message).not.toContain('\n');
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['{}', {}],
  [
    '{"a": "x:\\":", "b:": [{"c": null}, {"d": {"e": 1}}]}',
    { a: 'x:":', 'b:': [{ c: null }, { d: { e: 1 } }] },
  ],
  ['{"a": "\\\\", "b": ":"}', { a: '\\', b: ':' }],
])('%s is read', (line, value) => {
  expect(parseJsonLine(line)).toEqual(value);
});

test('a string of megabytes is read', () => {
  const text = 'x'.repeat(8 * 1024 * 1024);
  expect(parseJsonLine(`{"a": "${text}"}`)).toEqual({ a: text });
});

test('a member with a name from a prototype is an ordinary member', () => {
  expect(Object.entries(parseJsonLine('{"__proto__": {"x": 1}}') ?? {})).toEqual([['__proto__', { x: 1 }]]);
});

test.each([
  ['a name twice', '{"a": 1, "a": 2}'],
  ['a name twice, once escaped', '{"a": 1, "\\u0061": 2}'],
  ['a name twice within', '{"x": [{"a": {"b": 1}, "a": {}}]}'],
  ['no JSON', "{'a': 1}"],
  ['a list', '[{"a": 1}]'],
  ['a number', '7'],
  ['nothing', ''],
  ['too many levels', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`],
])('%s is left to the YAML parser', (_case, line) => {
  expect(parseJsonLine(line)).toBeUndefined();
});
