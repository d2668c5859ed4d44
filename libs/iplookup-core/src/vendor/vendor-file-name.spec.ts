import { vendorDatabase } from './vendor-file-name.js';

test.each([
  ['IP2LOCATION-LITE-DB1.CSV', 'DB1', 4],
  ['IP2LOCATION-LITE-DB11.CSV', 'DB11', 4],
  ['ip2location-lite-db11.csv.gz', 'DB11', 4],
  ['IP2LOCATION-LITE-DB11.CSV.ZIP', 'DB11', 4],
  ['IP2LOCATION-LITE-DB11.IPV6.CSV', 'DB11', 6],
  ['IP2LOCATION-LITE-DB11-IPV6.CSV.ZIP', 'DB11', 6],
  ['/data/in/IP2LOCATION-LITE-ASN.CSV', 'ASN', 4],
  ['IP2LOCATION-LITE-ASN.IPV6.CSV', 'ASN', 6],
  ['IP2PROXY-LITE-PX12.CSV', 'PX12', 4],
  ['IP2PROXY-LITE-PX2.IPV6.CSV', 'PX2', 6],
  ['IP-COUNTRY.CSV', 'DB1', 4],
  ['IPV6-COUNTRY-ISP.CSV', 'DB2', 6],
  ['IP-COUNTRY-REGION-CITY-LATITUDE-LONGITUDE-ZIPCODE-TIMEZONE-FULL.ZIP', undefined, 4],
  ['IP-COUNTRY-REGION-CITY-LATITUDE-LONGITUDE-ZIPCODE-TIMEZONE-FULL.CSV.ZIP', 'DB11', 4],
  ['IP-COUNTRY-REGION-CITY-LATITUDE-LONGITUDE-ZIPCODE-TIMEZONE.SAMPLE.CSV', 'DB11', 4],
  ['IP2PROXY-IP-COUNTRY.CSV', 'PX1', 4],
  ['IP2PROXY-IPV6-PROXYTYPE-COUNTRY-REGION-CITY.CSV', 'PX3', 6],
  ['ip2location-db26-sample.ipv6.csv', 'DB26', 6],
  ['ip2proxy-px11-sample.ipv4.csv', 'PX11', 4],
  ['DB11LITECSV.zip', 'DB11', 4],
  ['DB5CSVIPV6', 'DB5', 6],
  ['old/DB1CSV/sites.csv', undefined, 4],
  ['a\nb/IP-COUNTRY.CSV', 'DB1', 4],
  ['IP-COUNTRY.ZIP.CSV', undefined, 4],
  ['IP-COUNTRY.CSV.bak', undefined, 4],
  ['my IP-COUNTRY.CSV', undefined, 4],
  ['DBASNLITEIPV6.zip', 'ASN', 6],
  ['IP2LOCATION-LITE-DB27.CSV', undefined, 4],
  ['IP2PROXY-LITE-PX13.CSV', undefined, 4],
  ['IP-COUNTRY-ZIPCODE.CSV', undefined, 4],
  ['sites.csv', undefined, 4],
])('%s is %s of family %s', (name, code, family) => {
  const database = vendorDatabase(name);
  expect(database?.code).toBe(code);
  if (code !== undefined) expect(database).toMatchObject({ family, cidr: false });
});

test.each(['IP2LOCATION-LITE-DB11.CIDR.CSV', 'ip2location-db1-sample.ipv4.cidr.csv', 'IP-COUNTRY.CIDR.CSV'])(
  '%s has one column of networks',
  (name) => {
    expect(vendorDatabase(name)?.cidr).toBe(true);
  },
);

test.each([
  ['DB1', ['country_code', 'country_name']],
  [
    'DB11',
    [
      'country_code',
      'country_name',
      'region_name',
      'city_name',
      'latitude',
      'longitude',
      'zip_code',
      'time_zone',
    ],
  ],
  ['ASN', ['cidr', 'asn', 'as']],
])('the value columns of %s', (code, columns) => {
  expect(vendorDatabase(`IP2LOCATION-LITE-${code}.CSV`)?.columns).toEqual([columns]);
});

test.each([
  [
    'IP2LOCATION-LITE-DB',
    [2, 3, 4, 5, 6, 7, 6, 8, 7, 9, 8, 10, 8, 11, 10, 13, 10, 15, 11, 18, 11, 19, 12, 20, 22, 25],
  ],
  ['IP2PROXY-LITE-PX', [2, 3, 5, 6, 7, 8, 10, 11, 12, 12, 13, 14]],
])('every %s database has as many value columns as the vendor says', (prefix, counts) => {
  const found = counts.map((_, index) => vendorDatabase(`${prefix}${index + 1}.CSV`)?.columns[0]?.length);
  expect(found).toEqual(counts);
});

test('DB26 has two editions', () => {
  const [older = [], newer = []] = vendorDatabase('IP2LOCATION-LITE-DB26.CSV')!.columns;
  expect(newer).toEqual([...older, 'as_domain', 'as_usage_type', 'as_cidr']);
});
