import { checksumAddress, fileNameOf } from './remote-source.js';

test.each([
  ['https://example.com/a/DB1.CSV.gz?token=x/y', 'DB1.CSV.gz'],
  ['https://example.com/a/Our%20networks%C3%A9.csv', 'Our networksé.csv'],
  ['https://example.com/download/?file=a.csv', 'download'],
  ['https://example.com', 'source'],
  ['https://example.com/..%2F..%2Fetc%2Fpasswd', '_.._etc_passwd'],
  ['https://example.com/%2e%2E%2e', 'source'],
  ['https://example.com/.validators.json', 'validators.json'],
  ['https://example.com/a%00%1b%5B31m%E2%80%AEb%5Cc.csv', 'a__[31m_b_c.csv'],
  ['https://example.com/100%25%.csv', '100%25%.csv'],
])('the file of %s is %j', (url, name) => {
  expect(fileNameOf(url)).toBe(name);
});

test('a name that is too long for a file keeps its end, in whole characters', () => {
  expect(fileNameOf(`https://example.com/${'€'.repeat(100)}.csv.gz`)).toBe(`${'€'.repeat(64)}.csv.gz`);
});

test.each([
  ['/a.csv.gz', '/a.csv.gz.sha256'],
  ['/a.csv?key=1&suffix=zip', '/a.csv.sha256?key=1&suffix=zip'],
  ['/v1.0/download?suffix=zip', '/v1.0/download?suffix=zip.sha256'],
  ['/download?date=a%20b&suffix=tar.gz&key=c', '/download?date=a%20b&suffix=tar.gz.sha256&key=c'],
  ['/download?no_suffix=zip', '/download.sha256?no_suffix=zip'],
  ['/download?suffix=', '/download.sha256?suffix='],
])('the checksum of %s is at %s', (path, address) => {
  expect(checksumAddress(new URL(path, 'https://example.com')).href).toBe(`https://example.com${address}`);
});
