import fc from 'fast-check';
import { isPlainYaml } from './is-plain-yaml.js';
import { parseYaml } from './parse-yaml.js';

const isPlain = (text: string) => isPlainYaml(Buffer.from(text));

test.each([
  ['nothing', ''],
  ['a comment', '# only\n'],
  ['a document start', '---\n'],
  ['several documents', 'a: 1\n---\na: 1\n'],
  ['a mapping in a mapping', 'a:\n  b: 1\n  c:\n    d: x y z\n'],
  ['a sequence at the indentation of its key', 'a:\n- 1\n- 2\nb: 3\n'],
  ['a sequence of mappings', 'a:\n  - b: 1\n    c: 2\n  - b: 3\n'],
  ['a sequence in a sequence', '- - 1\n  - 2\n- - 3\n'],
  [
    'tags on values, collections and empty nodes',
    'a: !X 1\nb: !Y\n  c: !Z [1, 2]\nd: !E\ne: !S\n- !EVENT\n- !I "x"\n',
  ],
  ['quoted scalars', "a: \"b: \\\" # c\"\n'd''e': 'f'\n".replace("'d''e'", "'de'")],
  ['flow collections', 'a: [1, "b", {c: d, "e": !X f}, [!EVENT, !ITEM EVENT x]]\nb: {}\nc: []\n'],
  ['literal and folded blocks', 'a: |\n  x: [\n\n    y\nb: >-\n  z\n'],
  ['comments wherever they may stand', '# a\na: 1 # b\nb: # c\n  # d\n  - x # e\n# f\n'],
  ['Windows line ends', 'a: 1\r\nb:\r\n  - 2\r\n'],
  ['other scripts', 'příliš: "žluťoučký"\nkůň: 漢字\n'],
  ['numbers as keys', '1: a\n2: b\n10: c\n'],
])('it accepts %s', async (_case, text) => {
  expect(await parseYaml(text)).toEqual([]);
  expect(isPlain(text)).toBe(true);
});

test.each([
  ['a key twice', 'a: 1\na: 2\n'],
  ['a key twice in a flow mapping', 'x: {a: 1, a: 2}\n'],
  ['a key twice among many', [...'abcdefghijklma'].map((key) => `${key}: 1\n`).join('')],
  ['a quoted key twice', '"a": 1\na: 2\n'],
  ['null twice, written differently', 'null: 1\nNull: 2\n'],
  ['an open bracket', 'a: [1\n'],
  ['an open quote', 'a: "1\n'],
  ['a mapping where a value stands', 'a: b: c\n'],
  ['an indentation that fits nowhere', 'a:\n    b: 1\n  c: 2\n'],
  ['a tab as indentation', 'a:\n\tb: 1\n'],
  ['a mapping after a sequence', '- a\nb: 1\n'],
  ['an escape that does not exist', 'a: "\\d"\n'],
  ['a control character', 'a: \u0001\n'],
  ['two tags', 'a: !X !Y b\n'],
])('it leaves %s to the full parser', (_case, text) => {
  expect(isPlain(text)).toBe(false);
});

/** Fragments that often combine to valid YAML, and often do not. */
const PIECES = [
  ...[
    'a',
    'b',
    'key',
    'name',
    'null',
    'Null',
    '~',
    '1',
    '01',
    'true',
    'x y',
    'é',
    '-',
    '- ',
    '- - ',
    '-1',
    '?',
    '? ',
    ':',
    ': ',
    ':x',
  ],
  ...[
    'a: ',
    'b: ',
    'a:',
    'a: 1',
    '"a": 2',
    "'b': 3",
    '"',
    "'",
    '"x"',
    "'y'",
    '"\\n"',
    '"\\q"',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '[a, b]',
  ],
  ...[
    '{a: 1}',
    '{a: 1, a: 2}',
    '[a: 1]',
    '{a}',
    '[,]',
    '[a,]',
    '!T ',
    '!T',
    '!!str ',
    '!',
    '&x ',
    '*x',
    '#',
    ' # c',
    '#c',
    '|',
    '>',
    '|-',
  ],
  ...[
    '|2',
    '%',
    '@',
    '`',
    '---',
    '...',
    '%YAML 1.2',
    ' ',
    '  ',
    '\t',
    '\r',
    'long plain text',
    'a:b',
    'http://x/y',
    '<<: ',
    '\\',
  ],
];

const line = fc
  .tuple(fc.constantFrom(0, 0, 0, 2, 2, 4, 1, 6), fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }))
  .map(([indent, pieces]) => ' '.repeat(indent) + pieces.join(''));

const soup = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\n', '\n', '\r\n'))
  .map(([lines, ending]) => lines.join(ending));

test('the full parser accepts everything it accepts', async () => {
  await fc.assert(
    fc.asyncProperty(soup, async (text) => {
      if (isPlain(text)) expect(await parseYaml(text)).toEqual([]);
    }),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 5_000) },
  );
});
