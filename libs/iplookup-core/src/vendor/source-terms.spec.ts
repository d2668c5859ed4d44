import { termsOf } from './source-terms.js';

test.each([
  ['/in/IP2LOCATION-LITE-DB11.CSV', 'lite.ip2location.com'],
  ['DB11LITECSV.zip', 'lite.ip2location.com'],
  ['DBASNLITE.zip', 'lite.ip2location.com'],
  ['GeoLite2-City-CSV_20260101.zip', 'GeoLite Data created by MaxMind'],
  ['GeoLite2-ASN-Blocks-IPv4.csv', 'GeoLite Data created by MaxMind'],
  ['ipinfo_lite.csv.gz', 'IPinfo'],
  ['dbip-city-lite-2026-01.csv.gz', 'DB-IP'],
])('the terms of %s ask for attribution', (name, words) => {
  expect(termsOf(name)).toEqual({
    licence: expect.any(String),
    attribution: expect.stringContaining(words),
  });
});

test.each(['IP-COUNTRY.CSV', 'GeoIP2-City-CSV_20260101.zip', 'sites.csv', '-', ''])(
  'those of %j are not known',
  (name) => {
    expect(termsOf(name)).toEqual({});
  },
);
