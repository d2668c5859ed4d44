import { findings, NO_RULES } from '../testing/declaration-findings.js';
import { contentHash } from './check-library.js';
import { assertSchemas } from './assert-schemas.js';

const PARSER = {
  type: 'object',
  required: ['define'],
  properties: {
    define: {
      type: 'object',
      properties: { type: { enum: ['parser', 'correlator'] }, name: { type: 'string', maxLength: 5 } },
      additionalProperties: false,
    },
    list: { type: 'array', items: { type: 'integer' } },
  },
};
const schemas = [{ files: '/Parsers/**', name: 'parser.json', schema: PARSER }];

describe('schemas', () => {
  test('each violation of a schema is reported with its place, in every document of a file', async () => {
    const text = 'define:\n  type: parser\n  other: 1\n---\ndefine: {type: x}\nlist: [1, two]\n---\na: 1\n';
    expect(await findings({ 'Parsers/a.yaml': text, 'Others/a.yaml': 'x: 1\n' }, { schemas })).toEqual([
      'Parsers/a.yaml:3:10: error: does not match parser.json: /define must NOT have additional properties ("other")',
      'Parsers/a.yaml:5:16: error: does not match parser.json: /define/type must be equal to one of the allowed values (["parser","correlator"])',
      'Parsers/a.yaml:6:11: error: does not match parser.json: /list/1 must be integer',
      "Parsers/a.yaml:8:1: error: does not match parser.json: the document must have required property 'define'",
    ]);
  });

  test('values after the application’s tags are checked as if the tags were not there', async () => {
    const text = 'define: !ANY\n  type: !EXPR parser\nlist: !EQ [1, 2]\n';
    expect(await findings({ 'Parsers/a.yml': text }, { schemas })).toEqual([]);
  });

  test('JSON files are checked, too', async () => {
    expect(
      await findings(
        { 'Parsers/a.json': '{"define": 1}', 'Parsers/b.json': '{secret', 'c.json': '{' },
        { schemas },
      ),
    ).toEqual([
      'Parsers/a.json:1:12: error: does not match parser.json: /define must be object',
      'Parsers/b.json: error: is not JSON',
    ]);
  });

  test('properties that are unexpected, or have a wrong name, are named', async () => {
    const schema = {
      $id: 'https://example.com/a',
      allOf: [{ properties: { ok: { $ref: '#/$defs/ok' } } }],
      unevaluatedProperties: false,
      $defs: { ok: { propertyNames: { pattern: '^[a-z]+$' } } },
    };
    const rules = ['/Parsers/*.yaml', '/Others/*.json'].map((files) => ({ files, name: 's', schema }));
    const files = {
      'Parsers/a.yaml': 'ok: {a: 1, B: 2}\nsurplus: 1\n',
      'Others/a.json': '{\n\t"more": 1\n}\n',
    };
    expect(await findings(files, { schemas: rules })).toEqual([
      'Parsers/a.yaml:1:15: error: does not match s: /ok must match pattern "^[a-z]+$" ("B")',
      'Parsers/a.yaml:1:15: error: does not match s: /ok property name must be valid ("B")',
      'Parsers/a.yaml:2:10: error: does not match s: the document must NOT have unevaluated properties ("surplus")',
      'Others/a.json:2:10: error: does not match s: the document must NOT have unevaluated properties ("more")',
    ]);
  });

  test('a pattern that no file matches is a warning', async () => {
    const rule = { files: '/Parser/*', name: 's', schema: {} };
    const unused =
      '(library): warning: no YAML or JSON file matches "/Parser/*", so nothing is checked against s; correct validate.schemas';
    expect(await findings({ 'Parsers/a.yaml': 'a: 1\n' }, { schemas: [rule] })).toEqual([unused]);
    expect(await findings({ 'Parser/a.csv': 'a\n' }, { schemas: [rule] })).toEqual([unused]);
    expect(await findings({ 'Parser/a.yaml': 'a: 1\n' }, { schemas: [rule] })).toEqual([]);
  });

  test('a schema that refers to itself without end is named', async () => {
    const rule = { files: '*', name: 's', schema: { $ref: '#' } };
    expect(await findings({ 'a.yaml': 'a: 1\n' }, { schemas: [rule] })).toEqual([
      expect.stringMatching(/^a\.yaml:1:1: error: cannot be checked against s: /),
    ]);
  });

  test('keys with slashes and tildes are found', async () => {
    const rule = { files: '*', name: 's', schema: { additionalProperties: { type: 'integer' } } };
    expect(await findings({ 'a.yaml': 'x: 1\na/b~c: two\n' }, { schemas: [rule] })).toEqual([
      'a.yaml:2:8: error: does not match s: /a~1b~0c must be integer',
    ]);
  });

  test('aliases that would expand too far are rejected, not expanded', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level += 1)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    const found = await findings({ 'Parsers/a.yaml': lines.join('\n') }, { schemas });
    expect(found).toEqual([
      expect.stringMatching(/^Parsers\/a\.yaml: error: cannot be checked against a schema: .*alias/),
    ]);
  });

  test('files that passed by the same rules are not checked again', async () => {
    const bad = 'define: 1\n';
    const passed = new Map([['Parsers/a.yaml', contentHash(Buffer.from(bad))]]);
    expect(await findings({ 'Parsers/a.yaml': bad }, { schemas }, passed)).toEqual([]);
  });

  test('an invalid schema is named', async () => {
    const rule = { files: '*', name: 'mine.json', schema: { type: 'strange' } };
    await expect(assertSchemas({ ...NO_RULES, schemas: [rule] })).rejects.toThrow(
      /^mine\.json is not a JSON Schema of draft 2020-12: /,
    );
    for (const schema of [null, [], 'text']) {
      await expect(assertSchemas({ ...NO_RULES, schemas: [{ ...rule, schema }] })).rejects.toThrow(
        'mine.json is not a JSON Schema of draft 2020-12: it must be an object, true or false',
      );
    }
    await expect(assertSchemas({ ...NO_RULES, schemas })).resolves.toBeUndefined();
  });

  test('at most ten findings per file', async () => {
    const text = `define: {}\nlist: [${Array(50).fill('x').join(', ')}]\n`;
    expect(await findings({ 'Parsers/a.yaml': text }, { schemas })).toHaveLength(10);
  });
});

describe('tags', () => {
  const tags = { EVENT: 'scalar', EQ: 'sequence', REGEX: 'mapping' } as const;

  test('undeclared tags, and tags on another kind of value, are errors', async () => {
    const text =
      'a: !EVENT\nb: !EQ [1, !EVNT x]\nc: !REGEX {what: !EQ {x: 1}}\nd: !!str 1\ne: !constructor 1\n';
    expect(await findings({ 'a.yaml': text }, { tags })).toEqual([
      'a.yaml:2:18: error: has the unknown tag !EVNT',
      'a.yaml:3:22: error: has the tag !EQ on a mapping; it takes a sequence',
      'a.yaml:5:17: error: has the unknown tag !constructor',
    ]);
  });

  test('tags of other programs are errors as well, however they are written', async () => {
    const files = {
      'a.yaml': 'a: !!python/object/apply:os.system [ls]\nb: !<tag:example.com,2000:x> 1\nc: !!binary aGk=\n',
      'b.yaml': '%TAG ! tag:example.com,2000:\n---\na: !EVENT 1\n',
    };
    expect(await findings(files, { tags: { ...tags, '!binary': 'scalar' } })).toEqual([
      'a.yaml:1:36: error: has the unknown tag !!python/object/apply:os.system',
      'a.yaml:2:30: error: has the unknown tag !<tag:example.com,2000:x>',
      'b.yaml:3:11: error: has the unknown tag !<tag:example.com,2000:EVENT>',
    ]);
  });

  test('without declared tags, all are allowed', async () => {
    expect(await findings({ 'a.yaml': 'a: !ANY 1\n' }, {})).toEqual([]);
  });
});
