import { parseColumnLimit, parseProbe, parseProbes, parseShare } from './parse-guards.js';

test.each([
  ['5%', 0.05],
  ['5', 0.05],
  [' 0.5 % ', 0.005],
  ['100%', 1],
  ['0', 0],
])('%p is a share of %p', (text, share) => {
  expect(parseShare('maxLost', text)).toBeCloseTo(share, 12);
});

test.each(['', '%', '-1%', '101%', '5 percent', '1e2', 'NaN'])('%p is not a percentage', (text) => {
  expect(() => parseShare('maxLost', text)).toThrow(
    `--max-lost takes a percentage such as 5%, but ${JSON.stringify(text)} is not one`,
  );
});

test('a limit names a column, which may contain dots and signs', () => {
  expect(parseColumnLimit('maxChanged', 'country.iso_code=10%')).toEqual({
    column: 'country.iso_code',
    share: 0.1,
  });
  expect(parseColumnLimit('maxChanged', 'a=b=1%')).toEqual({ column: 'a=b', share: 0.01 });
  for (const text of ['country', '=5%', 'country=x'])
    expect(() => parseColumnLimit('maxChanged', text)).toThrow('--max-changed takes a ');
});

test.each([
  ['8.8.8.8 country_code US', { address: '8.8.8.8', column: 'country_code', value: 'US' }],
  [
    '2001:db8::1 city.names.en New York',
    { address: '2001:db8::1', column: 'city.names.en', value: 'New York' },
  ],
  ['  8.8.8.8\tas_name  " x " ', { address: '8.8.8.8', column: 'as_name', value: ' x ' }],
  ['8.8.8.8 "my column" -', { address: '8.8.8.8', column: 'my column', value: '-' }],
])('%p is a probe', (text, probe) => {
  expect(parseProbe('probe', text)).toEqual(probe);
});

test.each([
  ['8.8.8 country_code US', '--probe: "8.8.8" is not an IP address'],
  ['8.8.8.8 country_code', 'is not one'],
  ['8.8.8.8 country_code ', 'is not one'],
  ['', 'is not one'],
])('%p is not a probe', (text, message) => {
  expect(() => parseProbe('probe', text)).toThrow(message);
});

test('long runs of blanks in a probe take no time', () => {
  const blanks = ' '.repeat(500_000);
  expect(parseProbe('probe', `8.8.8.8 country a${blanks}b${blanks}`).value).toBe(`a${blanks}b`);
  expect(parseProbe('probe', `8.8.8.8${blanks}country${blanks}"a"${blanks}`).value).toBe('a');
});

test('a file has a probe per line, blank lines and comments', () => {
  const file = '# known addresses\r\n8.8.8.8 country US\r\n\r\n  # none here\n192.0.2.1 country -\n';
  expect(parseProbes('probes', file)).toHaveLength(2);
  expect(() => parseProbes('probes', '\n8.8.8.8 country\n')).toThrow('line 2: --probes takes an address');
});
