import fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import { applyEdits } from './document-scalar.js';
import { formatKeyPath, parseKeyPath } from './key-path.js';
import { documentFormat, type DocumentFormat, readDocument } from './read-document.js';

const COMPACT = 'eyJh.a.b.c.d';
const GENERAL = '{"ciphertext":"a","recipients":[]}';

/** Replaces the scalar at a path. */
async function replaced(
  text: string,
  format: DocumentFormat,
  path: string,
  encrypted = COMPACT,
): Promise<string> {
  const { scalars, errors } = await readDocument(text, format);
  expect(errors).toEqual([]);
  const scalar = scalars.find((one) => formatKeyPath(one.path) === path);
  return applyEdits(text, [scalar!.replaceBy(encrypted)!]);
}

test.each<[string, string, string]>([
  ['a plain value', 'a: 1 # one\nb: hunter2   # why\nc: 3\n', 'a: 1 # one\nb: !encpwd "V"   # why\nc: 3\n'],
  ['single quotes', "b: 'hunter2' # why\n", 'b: !encpwd "V" # why\n'],
  ['a number', 'b: 0123\n', 'b: !encpwd "V"\n'],
  ['a key without a value', 'b:   # to do\nc: 1\n', 'b: !encpwd "V"   # to do\nc: 1\n'],
  ['a key without a value at the end', 'b:', 'b: !encpwd "V"'],
  ['a flow map', '{a: x, b: hunter2, c: [y]}', '{a: x, b: !encpwd "V", c: [y]}'],
  ['a flow map without a value', '{b: , c: 1}', '{b: !encpwd "V" , c: 1}'],
  ['an anchor', 'b: &p hunter2\nc: *p\n', 'b: &p !encpwd "V"\nc: *p\n'],
  ['another tag', 'b: !!str &p 12 # x\n', 'b: !encpwd &p "V" # x\n'],
  ['the mark', 'b: !encpwd-plain "hunter2" # x\n', 'b: !encpwd "V" # x\n'],
  ['a tag on a line of its own', 'b: !encpwd-plain\n  # x\n  hunter2\n', 'b: !encpwd\n  # x\n  "V"\n'],
  ['a block', 'b: |  # x\n  hunter2\nc: 1\n', 'b: !encpwd |-  # x\n  V\nc: 1\n'],
  ['a block that keeps its breaks', 'b: |+\n  x\n\nc: 1\n', 'b: !encpwd |-\n  V\nc: 1\n'],
  ['a block whose value is indented', 'b: >2+ # x\n    x\n  y\n', 'b: !encpwd >- # x\n    V\n'],
  ['an encrypted block with a break at its end', 'b: !encpwd |\n  old\n', 'b: !encpwd |-\n  V\n'],
  ['white space around an encrypted value', 'b: !encpwd " old "\n', 'b: !encpwd "V"\n'],
  [
    'a block of several lines',
    'a:\n  b: >-\n\n    hun\n    ter\n  c: 1\n',
    'a:\n  b: !encpwd >-\n    V\n  c: 1\n',
  ],
  ['several lines in quotes', 'b: "hun\n  ter" # x\n', 'b: !encpwd "V" # x\n'],
  ['an encrypted value', `b: !encpwd 'old' # x\n`, `b: !encpwd 'V' # x\n`],
  ['an encrypted block', `b: !encpwd |-\n  old\n`, `b: !encpwd |-\n  V\n`],
  ['a mark without a value', 'b: !encpwd # x\nc: 1\n', 'b: !encpwd "V" # x\nc: 1\n'],
  ['a mark without a value at the end', 'b: !encpwd', 'b: !encpwd "V"'],
  ['a mark without a value in a flow map', '{b: !encpwd, c: 1}', '{b: !encpwd "V", c: 1}'],
  [
    'a tag and an anchor without a value',
    'b: !!str &p # x\n  # y\nc: 1\n',
    'b: !encpwd &p "V" # x\n  # y\nc: 1\n',
  ],
  ['CRLF', 'b: "x"\r\nc: |\r\n  y\r\n', 'b: !encpwd "V"\r\nc: |\r\n  y\r\n'],
  ['a byte order mark', '\ufeffb: x\n', '\ufeffb: !encpwd "V"\n'],
  ['a second document', 'a: 1\n---\nb: x\n...\n', 'a: 1\n---\nb: !encpwd "V"\n...\n'],
])('YAML, %s: that value alone changes', async (_case, before, after) => {
  const { scalars } = await readDocument(before, 'yaml');
  const path = formatKeyPath(scalars.find(({ path: own }) => own.at(-1) === 'b')!.path);
  expect(await replaced(before, 'yaml', path)).toBe(after.replace('V', COMPACT));
  const general = await replaced(before, 'yaml', path, GENERAL);
  const values = parseAllDocuments(general, { logLevel: 'silent' }) as { toJS(): unknown }[];
  // With its quotes: the value has no white space around it.
  expect(JSON.stringify(values.map((one) => one.toJS()))).toContain(JSON.stringify(GENERAL));
});

test.each<[DocumentFormat, string, string, string]>([
  ['json', '{"a": {"b": "x"},\n\t"c" :[1, {"d":null}]}', 'a.b', '{"a": {"b": "V"},\n\t"c" :[1, {"d":null}]}'],
  ['json', '{"a": [1, {"d": null}]}', 'a.1.d', '{"a": [1, {"d": "V"}]}'],
  ['json', '{"a\\u002eb": "\\"{[,", "x": "]}"}', 'a\\.b', '{"a\\u002eb": "V", "x": "]}"}'],
  ['json', '"x"', '', '"V"'],
  [
    'ini',
    '; c\n[db:one]\npassword = x  \nuser=y\n',
    'db:one.password',
    '; c\n[db:one]\npassword = V  \nuser=y\n',
  ],
  ['ini', 'password="x # y"\r\n', 'password', 'password="V"\r\n'],
  ['ini', '[a]\np =\nq = 1\n', 'a.p', '[a]\np = V\nq = 1\n'],
  ['ini', '[a]\np: x\nq: 1\n', 'a.p', '[a]\np: V\nq: 1\n'],
  ['ini', '[a]\np:\nq: 1\n', 'a.p', '[a]\np: V\nq: 1\n'],
  ['ini', 'p = x ; why\n', 'p', 'p = V ; why\n'],
  ['ini', 'p = x#y  # why\n', 'p', 'p = V  # why\n'],
  ['ini', "p='x # y' # why\n", 'p', "p='V' # why\n"],
  ['ini', 'p="x\\"y" ; why\n', 'p', 'p="V" ; why\n'],
  ['ini', 'p = !encpwd-plain "x # y" # why\n', 'p', 'p = V # why\n'],
  ['ini', 'p = x\n  more # why\nq = 1\n', 'p', 'p = V # why\nq = 1\n'],
  ['ini', '[a]\n\tp = x\n\tq = 1\n', 'a.p', '[a]\n\tp = V\n\tq = 1\n'],
  ['ini', 'p = x \\\n  y\nq = 1\n', 'p', 'p = V\nq = 1\n'],
  ['ini', 'p = C:\\x\\\nq = 1\n', 'p', 'p = V\nq = 1\n'],
  ['ini', 'p="-----\nabc==\n-----"\nq=1\n', 'p', 'p="V"\nq=1\n'],
  ['properties', 'a.p=x # y\n', 'a\\.p', 'a.p=V\n'],
  ['properties', '! p=x\na\\:p : x\\\n   y\nq 1\n', 'a:p', '! p=x\na\\:p : V\nq 1\n'],
  ['properties', 'q 1\r\np x', 'p', 'q 1\r\np V'],
  ['ini', '[a.b]\np=!encpwd-plain x=y', 'a\\.b.p', '[a.b]\np=V'],
])('%s: %j at %s', async (format, before, path, after) => {
  expect(await replaced(before, format, path)).toBe(after.replace('V', `!encpwd ${COMPACT}`));
  const general = await replaced(before, format, path, GENERAL);
  const { scalars } = await readDocument(general, format);
  const scalar = scalars.find((one) => formatKeyPath(one.path) === path);
  expect(scalar).toMatchObject({ mark: 'encpwd', value: GENERAL });
});

test('lines, marks and values are those of the text', async () => {
  const yaml = 'a: 1\nb:\n  - !encpwd-plain "x y"\n  - !encpwd z\n';
  expect((await readDocument(yaml, 'yaml')).scalars).toMatchObject([
    { path: ['a'], value: '1', line: 1, isText: false },
    { path: ['b', '0'], value: 'x y', line: 3, mark: 'encpwd-plain', isText: true },
    { path: ['b', '1'], value: 'z', line: 4, mark: 'encpwd' },
  ]);
  const json = '{"a": [true,\n"!encpwd-plain \\"x y\\""]}';
  expect((await readDocument(json, 'json')).scalars).toMatchObject([
    { path: ['a', '0'], value: 'true', line: 1, isText: false },
    { path: ['a', '1'], value: 'x y', line: 2, mark: 'encpwd-plain' },
  ]);
});

test.each<[DocumentFormat, string, string]>([
  ['json', '"!encpwd-plain  x "', ' x '],
  ['json', String.raw`"!encpwd-plain \"a\" or \"b\""`, '"a" or "b"'],
  ['json', String.raw`"!encpwd-plain \"\\\"a\\\"\""`, '"a"'],
  ['json', String.raw`"!encpwd-plain 'it''s'"`, "it's"],
  ['json', String.raw`"!encpwd-plain \"C:\\new\""`, String.raw`C:\new`],
  ['ini', 'p = !encpwd-plain   x y  ', 'x y'],
  ['ini', 'p = !encpwd-plain " x "', ' x '],
  ['ini', 'p = !encpwd-plain "a" or "b"', '"a" or "b"'],
  ['ini', 'p = !encpwd-plain \'a"', '\'a"'],
  ['properties', 'p = !encpwd-plain "x"', 'x'],
])('%s: %s is marked, and the password is %j', async (format, text, password) => {
  expect((await readDocument(text, format)).scalars).toMatchObject([
    { mark: 'encpwd-plain', value: password },
  ]);
});

test('broken JSON is reported with its line and without its content', async () => {
  const { errors } = await readDocument('{"a": 1,\n"password": hunter2}', 'json');
  expect(errors).toEqual([{ line: expect.any(Number) as number, message: 'not valid JSON' }]);
});

test('a key without a place for a value has no edit', async () => {
  const { scalars } = await readDocument('? a\n# c\n: # c\n # d\n', 'yaml');
  expect(scalars.map(({ replaceBy }) => replaceBy('x')?.text)).toEqual([' !encpwd "x"']);
});

test('JSON of any shape has the leaves of JSON.parse', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 4 }), async (text) => {
      const { scalars } = await readDocument(text, 'json');
      expect(scalars.map(({ path, value }) => [path, value])).toEqual(leavesOf(JSON.parse(text)));
    }),
    { numRuns: 200 },
  );
});

/** The model: `readMark` does not matter, since random strings are not marked. */
function leavesOf(value: unknown, path: readonly string[] = []): unknown[] {
  if (typeof value !== 'object' || value === null)
    return [[path, value === null ? '' : typeof value === 'string' ? value : expect.any(String)]];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

test('in any YAML map, setting one value leaves all others as they were', async () => {
  const key = fc.constantFrom('a', 'b b', 'c.d', '"e"', "'f'");
  const value = fc.constantFrom(
    'x',
    "'y'",
    '"z # w"',
    '|\n    block\n    more',
    '12',
    '[p, q]',
    '{r: s}',
    '',
    '&n m',
  );
  const comment = fc.constantFrom('', ' # note', '  # "x"');
  const entries = fc.uniqueArray(fc.tuple(key, value, comment), {
    minLength: 1,
    maxLength: 5,
    selector: ([name]) => name,
  });
  await fc.assert(
    fc.asyncProperty(entries, async (pairs) => {
      const text = pairs
        .map(([name, own, note]) => `${name}: ${own}${own.includes('\n') ? '' : note}\n`)
        .join('');
      const before = parse(text) as Record<string, unknown>;
      const { scalars } = await readDocument(text, 'yaml');
      for (const scalar of scalars.filter(({ path }) => path.length === 1)) {
        const after = applyEdits(text, [scalar.replaceBy(COMPACT)!]);
        const [changed = ''] = scalar.path;
        const parsed = parse(after, { logLevel: 'silent' }) as Record<string, unknown>;
        expect(String(parsed[changed]).trim()).toBe(COMPACT);
        expect({ ...parsed, [changed]: null }).toEqual({ ...before, [changed]: null });
      }
    }),
    { numRuns: 100 },
  );
});

test('key paths are read as written, dots and backslashes too', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '.', '\\', ' ') }), { minLength: 1 }),
      (path) => {
        expect(parseKeyPath(formatKeyPath(path))).toEqual(path);
      },
    ),
  );
});

test.each([
  ['a.yaml', 'yaml'],
  ['a/b.YML', 'yaml'],
  ['x.json', 'json'],
  ['svccmd.conf', 'ini'],
  ['.env', 'ini'],
  ['a/.env.local', 'ini'],
  ['application.properties', 'properties'],
  ['a.b/README', undefined],
  ['x.constructor', undefined],
])('%s is %s', (file, format) => {
  expect(documentFormat(file)).toBe(format);
});
