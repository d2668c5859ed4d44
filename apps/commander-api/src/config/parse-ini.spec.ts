import fc from 'fast-check';
import { parseIni } from './parse-ini.js';

const valuesOf = (text: string) =>
  Object.fromEntries(
    parseIni(text, 'a.conf').settings.map(({ section, key, value }) => [`${section}.${key}`, value]),
  );

test.each([
  ['spaces around everything', ' [ source ] \n  path  =  /a b  ', { 'source.path': '/a b' }],
  ['no spaces', '[source]\npath=/a', { 'source.path': '/a' }],
  [
    '# and ; within a value',
    '[source]\npath = git://u:a#b;c@h/p.git # main',
    { 'source.path': 'git://u:a#b;c@h/p.git # main' },
  ],
  ['= within a value', '[destination]\nauth = u:a=b==', { 'destination.auth': 'u:a=b==' }],
  ['comments at the start of a line', '# a = b\n; c = d\n  # e = f\n[x]\nk = v', { 'x.k': 'v' }],
  ['quotes that keep spaces', '[x]\nk = " v "', { 'x.k': ' v ' }],
  ['a quote on one side only', '[x]\nk = "v', { 'x.k': '"v' }],
  ['an empty value', '[x]\nk =', { 'x.k': '' }],
  ['a byte order mark and CRLF', '\ufeff[x]\r\nk = v\r\n', { 'x.k': 'v' }],
  ['a section in two places', '[x]\na = 1\n[y]\nb = 2\n[x]\nc = 3', { 'x.a': '1', 'y.b': '2', 'x.c': '3' }],
])('%s', (_case, text, values) => {
  expect(valuesOf(text)).toEqual(values);
  expect(parseIni(text, 'a.conf').errors).toEqual([]);
});

test('every error has its line number, without the line’s content', () => {
  const { errors } = parseIni('secret = 1\n[x]\njust a secret\n= secret\n[y\n', 'a.conf');
  expect(errors).toEqual([
    'a.conf:1: key before the first [section]',
    'a.conf:3: expected [section], key = value or a comment',
    'a.conf:4: expected [section], key = value or a comment',
    'a.conf:5: expected [section], key = value or a comment',
  ]);
});

test('a setting knows its line', () => {
  expect(parseIni('\n\n[x]\n\nk = v', 'a.conf').settings[0]?.origin).toBe('a.conf:5');
});

test('any value without outer spaces and quotes is read as it is written', () => {
  const value = fc
    .string({ minLength: 1 })
    .filter((text) => text === text.trim() && !/[\r\n]/.test(text) && !/^".*"$/.test(text));
  fc.assert(fc.property(value, (text) => expect(valuesOf(`[x]\nk = ${text}`)).toEqual({ 'x.k': text })));
});

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(() => parseIni(text, 'a.conf')).not.toThrow()));
});

test('no error for any text shows a secret in it', () => {
  const SECRET = 's3cret-s3cret';
  const iniish = fc.string({ unit: fc.constantFrom(...'a[]= \n\r\t#;"\\') });
  fc.assert(
    fc.property(iniish, iniish, (before, after) => {
      expect(parseIni(`${before}${SECRET}${after}`, 'a.conf').errors.join()).not.toContain(SECRET);
    }),
    { numRuns: 1_000 },
  );
});
