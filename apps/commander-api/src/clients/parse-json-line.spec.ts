import { parseJsonLine } from './parse-json-line.js';

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

test('a member of a prototype is a member like any other', () => {
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
