import fc from 'fast-check';
import { JsonBodyError, parseJson, parseJsonInSlices } from './parse-json.js';

const parse = (text: string) => parseJson(Buffer.from(text));

test('reads back what JSON.stringify writes, except rejected names and depths', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'grapheme', maxDepth: 8 }), (text) => {
      fc.pre(!text.includes('__proto__') && !text.includes('\\u0000'));
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['nothing', '', 'the body is empty; send a JSON object'],
  ['spaces', ' \n', 'the body is empty; send a JSON object'],
  ['half an object', '{"a":', 'the body is not valid JSON'],
  ['a member twice', '{"a":1,"b":{"a":2},"a":3}', 'the body has the member "a" twice'],
  ['a member twice, once escaped', String.raw`{"a":1,"\u0061":2}`, 'the body has the member "a" twice'],
  ['a member twice in a list of objects', '[{"a":[]},{"a":1,"a":2}]', 'the body has the member "a" twice'],
  ['a prototype', '{"a":{"__proto__":{"b":1}}}', 'the body has a member named __proto__'],
  ['an escaped prototype', String.raw`{"__prot\u006f__":1}`, 'the body has a member named __proto__'],
  ['a NUL', String.raw`{"a":"\u0000"}`, 'the body has a string with a NUL character'],
  ['a NUL in a name', String.raw`{"\u0000":1}`, 'the body has a string with a NUL character'],
  [
    'half a surrogate pair',
    String.raw`["\ud83d"]`,
    'the body has a string with an unpaired surrogate, which is not valid Unicode',
  ],
  ['a number beyond a double', '{"a":[1,-1e999]}', 'the body has a number that is too large'],
  ['a number of 400 digits', '9'.repeat(400), 'the body has a number that is too large'],
  [
    '1,001 members',
    JSON.stringify({ ...Array(1_001).fill(0) }),
    'the body has an object with more than 1000 members',
  ],
  ['250,001 values', `[${'[],'.repeat(125_000)}0]`, 'the body has more than 250000 values'],
  ['33 levels', '['.repeat(33) + ']'.repeat(33), 'the body is nested more than 32 levels deep'],
  [
    'a hundred thousand levels',
    '['.repeat(1e5) + ']'.repeat(1e5),
    'the body is nested more than 32 levels deep',
  ],
])('%s is refused', (_case, text, reason) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'JsonBodyError', message: reason }));
});

test.each([
  ['the same name in two objects', '[{"a":1},{"a":2}]'],
  ['names as values', '{"a":"a","b":["a","a"]}'],
  ['quotes and brackets within strings', String.raw`{"a":"{\"a\":[","b":"\\","c":"]}"}`],
  ['a whole surrogate pair, escaped', String.raw`["\ud83d\ude00"]`],
  ['the largest number', '[1.7976931348623157e308,-0,0.1e-400,12345678901234567890]'],
  ['1,000 members, twice', JSON.stringify(Array(2).fill({ ...Array(1_000).fill(0) }))],
  ['32 levels', '['.repeat(32) + ']'.repeat(32)],
])('%s are fine', (_case, text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test('bytes that are not UTF-8 are rejected', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
    new JsonBodyError('the body is not UTF-8'),
  );
});

test('a syntax error has the position and quotes nothing', () => {
  expect(() => parse('{"client_secret":"hunter2" oops}')).toThrow(
    /^the body is not valid JSON at position 27$/,
  );
});

test('commas and brackets within strings are not counted', () => {
  const text = JSON.stringify([String.raw`\",[{`.repeat(100_000)]);
  expect(parse(text)).toEqual(JSON.parse(text));
});

test('a large body is parsed in slices, between which others run', async () => {
  const value = { names: Array.from({ length: 60_000 }, (_, index) => `${index} ${'é"'.repeat(20)}`) };
  let turns = 0;
  const count = (): void => void ((turns += 1), (timer = setImmediate(count)));
  let timer = setImmediate(count);
  const read = await parseJsonInSlices(Buffer.from(JSON.stringify(value)));
  clearImmediate(timer);
  expect(read).toEqual(value);
  expect(turns).toBeGreaterThan(0);
});

test.each(['{"a":1,"b":[2]}', '{"a":1,"a":2}'])('a large body is held to the same rules: %s', async (end) => {
  const text = `[${JSON.stringify('x'.repeat(2_000_000))},${end}]`;
  const whole = new Promise((resolve) => resolve(parse(text))).catch(String);
  expect(await parseJsonInSlices(Buffer.from(text)).catch(String)).toEqual(await whole);
});
