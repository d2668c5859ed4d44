import type { SourceEntry } from '../ports/library-source.js';
import { findingText } from '../ports/library-finding.js';
import { checkLibrary, contentHash } from './check-library.js';
import { assertSchemas } from './assert-schemas.js';
import type { DeclarationRules } from './declaration-rules.js';

const NONE: DeclarationRules = { schemas: [], includes: [], sealed: [] };

/** What is said about files, by their texts. */
async function findings(
  files: Readonly<Record<string, string>>,
  rules: Partial<DeclarationRules>,
  passed: ReadonlyMap<string, string> = new Map(),
): Promise<string[]> {
  const entries = Object.entries(files).map(([path, text]): SourceEntry => ({
    kind: 'file',
    path,
    data: Buffer.from(text),
  }));
  const options = {
    names: 'any',
    allowEmpty: false,
    maxBytes: 1 << 20,
    rules: { ...NONE, ...rules },
  } as const;
  const { problems } = await checkLibrary(entries, options, undefined, passed);
  return problems.map(findingText);
}

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
      'Parsers/a.json: error: does not match parser.json: /define must be object',
      'Parsers/b.json: error: is not JSON',
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
    await expect(assertSchemas({ ...NONE, schemas: [rule] })).rejects.toThrow(
      /^mine\.json is not a JSON Schema of draft 2020-12: /,
    );
    await expect(assertSchemas({ ...NONE, schemas })).resolves.toBeUndefined();
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

  test('without declared tags, all are allowed', async () => {
    expect(await findings({ 'a.yaml': 'a: !ANY 1\n' }, {})).toEqual([]);
  });
});

describe('includes', () => {
  const includes = ['INCLUDE'];

  test('targets must be files of the library: absolute, or beside the file', async () => {
    const text =
      'a: !INCLUDE /Parsers/b.yaml\nb: !INCLUDE b.yaml\nc: !INCLUDE ../top.yaml\nd: !INCLUDE none.yaml\n';
    const files = {
      'Parsers/a.yaml': text,
      'Parsers/b.yaml': 'x: 1\n',
      'top.yaml': 'x: !INCLUDE /Parsers\n',
    };
    expect(await findings(files, { includes })).toEqual([
      'Parsers/a.yaml:4:13: error: includes "none.yaml", which is not in the library',
      'top.yaml:1:13: error: includes "/Parsers", which is not in the library',
    ]);
  });
});

describe('values that must be encrypted', () => {
  const sealed = ['*password*', 'api.key'];

  test('unencrypted ones are errors, which never show them', async () => {
    const text = [
      'db:\n  Password: hunter2',
      'passwords: [{name: one, value: hunter3}, !encpwd "eyJ.x"]',
      'api.key: hunter4',
      'apixkey: public',
      'password_text: \'!encpwd "eyJ.x"\'',
      'password_bare: "!encpwd eyJ.x"',
      `password_json: '!encpwd {"recipients":[]}'`,
      'password_none:',
      'old_password: ""',
    ].join('\n');
    const found = await findings({ 'a.yaml': text }, { sealed });
    expect(found).toEqual([
      'a.yaml:2:13: error: has an unencrypted value at "Password": encrypt it (svccmd encpwd)',
      'a.yaml:3:20: error: has an unencrypted value at "passwords": encrypt it (svccmd encpwd)',
      'a.yaml:3:32: error: has an unencrypted value at "passwords": encrypt it (svccmd encpwd)',
      'a.yaml:4:10: error: has an unencrypted value at "api.key": encrypt it (svccmd encpwd)',
    ]);
    expect(found.join()).not.toContain('hunter');
  });
});
