import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildLookup, type BuildRequest } from './build-lookup.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { recogniseTable } from '../vendor/known-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'iplookup-known-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function build(text: string | Uint8Array, options: Partial<BuildRequest> = {}) {
  const input = join(folder, 'any-name.csv');
  writeFileSync(input, text);
  const { file } = await buildLookup({ kind: 'vendor', buildEpoch: 1, input, folder, ...options });
  return openLookup(readFileSync(file));
}

const IPINFO =
  'network,country,country_code,continent,continent_code,asn,as_name,as_domain\n1.0.0.0/24,Utopia,XA,Oceania,OC,AS64500,"Example, Inc.",example.com\n';

test.each<[string, string, object]>([
  [
    'IPinfo Lite',
    IPINFO,
    {
      country: 'Utopia',
      country_code: 'XA',
      continent: 'Oceania',
      continent_code: 'OC',
      asn: 64500,
      as_name: 'Example, Inc.',
      as_domain: 'example.com',
    },
  ],
  [
    'IPinfo’s locations',
    'start_ip,end_ip,join_key,city,region,country,latitude,longitude,postal_code,timezone\n1.0.0.0,1.0.0.255,1.0.0.0,Brook,Hills,XA,1.5,-2.5,0815,Europe/Prague\n',
    {
      join_key: '1.0.0.0',
      city: 'Brook',
      region: 'Hills',
      country: 'XA',
      latitude: 1.5,
      longitude: -2.5,
      postal_code: '0815',
      timezone: 'Europe/Prague',
    },
  ],
  [
    'IPinfo’s privacy',
    'network,hosting,proxy,tor,relay,vpn,service\n1.0.0.0/24,true,false,false,false,true,Example\n',
    { hosting: true, proxy: false, tor: false, relay: false, vpn: true, service: 'Example' },
  ],
  [
    'IPinfo’s residential proxies',
    'ip,service,last_seen,percent_days_seen\n1.0.0.77,Example,2026-07-12,3\n',
    { service: 'Example', last_seen: '2026-07-12', percent_days_seen: 3 },
  ],
  ['DB-IP’s countries', '1.0.0.0,1.0.0.255,XA\n::,1fff::,ZZ\n', { country_code: 'XA' }],
  [
    'DB-IP’s cities',
    '1.0.0.0,1.0.0.255,OC,XA,Hills,"Brook, West",-27.5,153\n',
    {
      continent_code: 'OC',
      country_code: 'XA',
      region_name: 'Hills',
      city_name: 'Brook, West',
      latitude: -27.5,
      longitude: 153,
    },
  ],
  ['DB-IP’s autonomous systems', '1.0.0.0,1.0.0.255,64500,Example\n', { asn: 64500, as_name: 'Example' }],
  [
    'iptoasn.com’s table',
    '1.0.0.0\t1.0.0.255\t64500\tXA\tEXAMPLE - "quoted"\n',
    { asn: 64500, country_code: 'XA', as_name: 'EXAMPLE - "quoted"' },
  ],
  ['sapics’ countries as numbers', '16777216,16777471,XA\n', { country_code: 'XA' }],
  [
    'sapics’ cities',
    '1.0.0.0,1.0.0.255,XA,Hills,,Brook,0815,1.5,-2.5,Europe/Prague\n',
    {
      country_code: 'XA',
      region_name: 'Hills',
      city_name: 'Brook',
      postal_code: '0815',
      latitude: 1.5,
      longitude: -2.5,
      time_zone: 'Europe/Prague',
    },
  ],
])('from-vendor reads %s by its rows', async (_what, text, record) => {
  expect((await build(text)).find('1.0.0.77')).toEqual(record);
  expect((await build(gzipSync(text))).find('1.0.0.77')).toEqual(record);
});

test.each([
  ['systems', '0\tNone\tNot routed', '64500\tXA\tEXAMPLE'],
  ['countries', 'None', 'XA'],
])('iptoasn.com’s words for no value are no values: %s', async (_what, none, some) => {
  const text = `1.0.0.0\t1.0.0.255\t${none}\n2.0.0.0\t2.0.0.255\t${some}\n`;
  for (const schema of ['flat', 'geoip2'] as const) {
    const lookup = await build(text, { schema });
    expect(lookup.find('1.0.0.77')).toEqual({});
    expect(lookup.find('2.0.0.77')).not.toEqual({});
    expect((await build(text, { schema, emptyRows: 'all' })).find('1.0.0.77')).toBeUndefined();
  }
});

test('they become MaxMind’s records without more options', async () => {
  const options = { schema: 'geoip2' } as const;
  const ipinfo = await build(IPINFO, options);
  expect(ipinfo.metadata.databaseType).toBe('GeoLite2-Country');
  expect(ipinfo.find('1.0.0.1')).toEqual({
    continent: { code: 'OC', names: { en: 'Oceania' } },
    country: { iso_code: 'XA', names: { en: 'Utopia' } },
    traits: {
      autonomous_system_number: 64500,
      autonomous_system_organization: 'Example, Inc.',
      domain: 'example.com',
    },
  });
  const places = await build(
    'start_ip,end_ip,join_key,city,region,country,lat,lng,postal,timezone\n1.0.0.0,1.0.0.255,1.0.0.0,Brook,Hills,XA,1.5,-2.5,0815,Europe/Prague\n',
    options,
  );
  expect(places.find('1.0.0.1')).toEqual({
    country: { iso_code: 'XA' },
    subdivisions: [{ names: { en: 'Hills' } }],
    city: { names: { en: 'Brook' } },
    location: { latitude: 1.5, longitude: -2.5, time_zone: 'Europe/Prague' },
    postal: { code: '0815' },
  });
  const systems = await build('1.0.0.0,1.0.0.255,64500,Example\n', options);
  expect(systems.metadata.databaseType).toBe('GeoLite2-ASN');
});

test('options given by the user come first', async () => {
  const lookup = await build(IPINFO, { keepColumns: ['asn'], types: false, rename: [['asn', 'number']] });
  expect(lookup.find('1.0.0.1')).toEqual({ number: 'AS64500' });
});

test.each([
  ['network,site\n1.0.0.0/24,Depot\n'],
  ['1.0.0.0,1.0.0.255,Depot\n'],
  ['1,2,3\n'],
  ['a,b,XA\n'],
  [''],
])('other files are not taken for a vendor’s: %j', async (text) => {
  await expect(build(text)).rejects.toThrow('any-name.csv is not a vendor file name');
});

test('a row that does not fit the others is no such file', () => {
  const rows = [
    ['1.0.0.0', '1.0.0.1', 'XA'],
    ['1.0.0.2', '1.0.0.3', 'Utopia'],
  ];
  expect(recogniseTable(rows, ',')).toBeUndefined();
  expect(recogniseTable(rows.slice(0, 1), ',')).toMatchObject({ columns: ['country_code'] });
});

test.each([1, 7, 100])(
  'files are recognised however a pipe cuts them, here into pieces of %i bytes',
  async (size) => {
    const text = Buffer.from(`${IPINFO}1.0.1.0/24,Utopia,XA,Oceania,OC,,,`);
    async function* pieces() {
      // As from a pipe, whose buffer is used again.
      const buffer = Buffer.alloc(size);
      for (let at = 0; at < text.length; at += size)
        yield buffer.subarray(0, text.copy(buffer, 0, at, at + size));
    }
    const { file } = await buildLookup({
      kind: 'vendor',
      buildEpoch: 1,
      input: '-',
      stdin: pieces(),
      lookupName: `pipe-${size}`,
      folder,
    });
    const lookup = openLookup(readFileSync(file));
    expect(lookup.find('1.0.0.1')).toMatchObject({ asn: 64500 });
    expect(lookup.find('1.0.1.1')).toMatchObject({ country: 'Utopia' });
  },
);

test('a single row without a line break is enough', async () => {
  expect((await build('1.0.0.0,1.0.0.255,XA')).find('1.0.0.1')).toEqual({ country_code: 'XA' });
});

test('a header alone does not say that a column of countries holds codes', () => {
  const placesOf = (...rows: string[][]) => recogniseTable([['network', 'country'], ...rows], ',')!.places;
  expect(placesOf()).toEqual([['country', 'country_name']]);
  expect(placesOf(['1.0.0.0/24', 'XA'])).toEqual([['country', 'country_code']]);
});

test('rows without values are kept unless the options say otherwise', async () => {
  const text = '1.0.0.0,1.0.0.255,64500,Example\n1.0.1.0,1.0.1.255,,\n1.0.2.0,1.0.2.255,64501,\n';
  const found = async (options: Partial<BuildRequest>) => {
    const lookup = await build(text, options);
    return ['1.0.1.1', '1.0.2.1'].map((address) => lookup.find(address));
  };
  expect(await found({})).toEqual([{}, { asn: 64501 }]);
  expect(await found({ keepEmptyRows: true })).toEqual([{}, { asn: 64501 }]);
  expect(await found({ emptyRows: 'all' })).toEqual([undefined, { asn: 64501 }]);
  expect(await found({ emptyRows: 'any' })).toEqual([undefined, undefined]);
  await expect(build(text, { emptyRows: 'any', keepEmptyRows: true })).rejects.toThrow(
    '--keep-empty-rows cannot be combined with --empty-rows',
  );
});
