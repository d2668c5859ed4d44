import { AllowedZones } from './allowed-zones.js';
import type { Zone, Zones } from './lookup-file.js';

const ZONES: Readonly<Record<string, Zone>> = {
  '192.0.2.1': { zone: 'office', country_code: 'DE', floor: '2' },
  '192.0.2.2': { zone: 'lab', country_code: 'DE', latitude: 52.5 },
  '2001:db8::1': { country: { iso_code: 'AT', names: { en: 'Austria' } } },
  '192.0.2.9': { error: 'the lookup file is damaged here' },
};
const zones: Zones = { zoneOf: (address) => ZONES[address] };
const admitted = (list: string, ...addresses: string[]): string[] =>
  addresses.filter((address) => new AllowedZones(list).admit(address, zones));

const EVERYBODY = [...Object.keys(ZONES), '192.0.2.3', '127.0.0.1', '::1'];

test.each([
  ['office', ['192.0.2.1']],
  ['zone=office', ['192.0.2.1']],
  [' office , lab ', ['192.0.2.1', '192.0.2.2']],
  ['country_code=DE', ['192.0.2.1', '192.0.2.2']],
  ['country_code = DE', ['192.0.2.1', '192.0.2.2']],
  ['floor=2', ['192.0.2.1']],
  ['latitude=52.5', ['192.0.2.2']],
  ['country.iso_code=AT', ['2001:db8::1']],
  ['country.names.en=Austria', ['2001:db8::1']],
  ['127.0.0.1,::1', ['127.0.0.1', '::1']],
  ['127.0.0.0/8', ['127.0.0.1']],
  ['lab,::1', ['192.0.2.2', '::1']],
  ['0.0.0.0/0', EVERYBODY.filter((address) => !address.includes(':'))],
])('%j admits whom it names, and no others', (list, expected) => {
  expect(admitted(list, ...EVERYBODY)).toEqual(expected);
});

test.each([
  ['a part of a name', 'offic'],
  ['a name in another case', 'OFFICE'],
  ['a column that is nested', 'country=AT'],
  ['a member that every object has', 'constructor.name=Object'],
  ['a column that no address has', 'planet=Mars'],
  ['a value that no address has', 'planet=undefined'],
])('%s admits no address', (_case, list) => {
  expect(admitted(list, ...EVERYBODY)).toEqual([]);
});

test('an IPv4-mapped address counts as IPv4, and a zone id is ignored', () => {
  expect(admitted('10.0.0.0/8', '::ffff:10.1.2.3', '::ffff:a01:203', '::ffff:11.1.2.3')).toEqual([
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
  ]);
  expect(admitted('fe80::/10', 'fe80::1%eth0', 'fec0::1%eth0')).toEqual(['fe80::1%eth0']);
});

test('a forwarded value that is not an address is in no zone', () => {
  expect(admitted('office,0.0.0.0/0,::/0', 'unknown', '', '192.0.2.1:80', '_hidden')).toEqual([]);
});

test('without a lookup file, zones admit no one, but addresses do', () => {
  const allowed = new AllowedZones('office,192.0.2.2');
  expect([allowed.admit('192.0.2.1'), allowed.admit('192.0.2.2')]).toEqual([false, true]);
  expect(allowed.needLookup).toBe(true);
  expect(new AllowedZones('192.0.2.2').needLookup).toBe(false);
});

test.each(['10.0.0.0/33', '10.0.0', '::1/129', 'fe80::1%eth0', '10.0.0.0/', '=DE', 'country_code=', '7'])(
  '%j is no entry, and is reported',
  (entry) => {
    expect(() => new AllowedZones(`office,${entry},300.1.2.3`)).toThrow(
      `'${entry}', '300.1.2.3': not an address, a CIDR block, column=value or the name of a zone`,
    );
  },
);

test('a list without entries is rejected, since it would lock everyone out', () => {
  expect(() => new AllowedZones(' , ')).toThrow('lists no zone');
});
