import fc from 'fast-check';
import { Reader } from 'mmdb-lib';
import { build } from '../../test/build-in-memory.js';
import { joinChunks } from '../../test/join-chunks.js';
import { runs } from '../../test/property-runs.js';
import type { BuildOptions } from '../build/build-options.js';
import type { LookupRecord, LookupValue } from '../mmdb/decode-value.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { verifyLookup } from '../verify/verify-lookup.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { type MergeRule, mergeLookups } from './merge-lookups.js';

const make = (csv: string, options: Partial<BuildOptions> = {}) =>
  build(csv, { inputFormat: 'auto', ...options }).bytes;

function merge(layers: readonly (readonly [bytes: Uint8Array, rule?: MergeRule])[]): Buffer {
  return joinChunks(
    mergeLookups(
      layers.map(([bytes, rule = 'override']) => ({ lookup: new ParsedLookup(bytes), merge: rule })),
      { lookupName: 'sites', description: 'sites: IP lookup', buildEpoch: 1_700_000_000 },
    ),
  );
}

const find = (bytes: Buffer, ip: string) => openLookup(bytes).find(ip);

test('each layer adds to the ones before it, by its rule', () => {
  const base = make('network,country,city\n10.0.0.0/8,CZ,Prague\n2001:db8::/32,DE,\n');
  const own = make('network,country,site\n10.1.0.0/16,XX,depot\n11.0.0.0/8,YY,\n', { keepEmptyRows: false });
  const of = (rule: MergeRule) => merge([[base], [own, rule]]);
  for (const rule of ['override', 'fill', 'replace'] as const) {
    expect(find(of(rule), '10.0.0.1')).toEqual({ country: 'CZ', city: 'Prague' });
    expect(find(of(rule), '11.0.0.1')).toEqual(find(own, '11.0.0.1'));
    expect(find(of(rule), '2001:db8::1')).toEqual(find(base, '2001:db8::1'));
    expect(find(of(rule), '9.0.0.1')).toBeUndefined();
  }
  expect(find(of('override'), '10.1.2.3')).toEqual({ country: 'XX', city: 'Prague', site: 'depot' });
  expect(find(of('fill'), '10.1.2.3')).toEqual({ country: 'CZ', city: 'Prague', site: 'depot' });
  expect(find(of('replace'), '10.1.2.3')).toEqual({ country: 'XX', site: 'depot' });
});

test('values keep their types, and nested records are merged key by key', () => {
  const nested = { schema: 'geoip2' } as const;
  const base = make('network,country_code,city_name,latitude,asn\n10.0.0.0/8,CZ,Prague,50.1,64500\n', nested);
  const own = make('network,country_code,postal_code\n10.1.0.0/16,DE,01067\n', nested);
  expect(find(merge([[base], [own]]), '10.1.0.1')).toEqual({
    ...find(base, '10.1.0.1'),
    country: { iso_code: 'DE' },
    postal: { code: '01067' },
  });
  const numbers = make('network,n\n10.0.0.0/8,7\n', { columnTypes: [['n', 'uint16']] });
  expect(merge([[numbers]]).includes(Buffer.from([0xa1, 7]))).toBe(true);
});

test('the type of nested layers is the one with most values', () => {
  const nested = { schema: 'geoip2' } as const;
  const country = make('network,country_code\n10.0.0.0/8,CZ\n', nested);
  const city = make('network,city_name\n10.1.0.0/16,Brno\n', nested);
  const asn = make('network,asn\n10.0.0.0/8,64500\n', nested);
  const flat = make('network,site\n10.0.0.0/8,depot\n');
  const typeOf = (...layers: Uint8Array[]) =>
    openLookup(merge(layers.map((bytes) => [bytes] as const))).metadata.databaseType;
  expect([typeOf(country, city), typeOf(asn, country), typeOf(asn)]).toEqual(
    [city, country, asn].map((bytes) => openLookup(Buffer.from(bytes)).metadata.databaseType),
  );
  expect(typeOf(country, flat)).toBe(typeOf(flat));
});

test('a record that is also part of another record stands alone, too', () => {
  const nested = make('network,country_code\n10.0.0.0/8,DE\n', { schema: 'geoip2' });
  const flat = make('network,iso_code\n11.0.0.0/8,DE\n');
  const merged = merge([[nested], [flat]]);
  expect(find(merged, '10.0.0.1')).toEqual({ country: { iso_code: 'DE' } });
  expect(find(merged, '11.0.0.1')).toEqual({ iso_code: 'DE' });
  expect(verifyLookup(merged)).toMatchObject({ problems: [], records: 2 });
});

test('a single layer gives the same results, in a valid file with the same nodes', () => {
  const only = make('network,v\n10.0.0.0/8,a\n2002:a00:100::/48,own\n2001:db8::/32,b\n');
  const merged = merge([[only]]);
  expect(openLookup(merged).metadata.nodeCount).toBe(openLookup(only).metadata.nodeCount);
  for (const ip of ['10.1.1.1', '::ffff:10.0.0.1', '2002:a01:1::', '2002:a00:100::5', '2001:db8::1', '::1'])
    expect(find(merged, ip)).toEqual(find(only, ip));
});

test('below 6to4, gaps have the IPv4 values, also where the first node of the IPv4 tree has a gap', () => {
  const ipv4 = make('network,v\n0.0.0.2/31,a\n');
  const below = make('a,b,v\n2002::1,2002:0:1:ffff::,b\n2002:0:4::,2002:0:5::,b\n', { inputFormat: 'auto' });
  const merged = merge([[ipv4], [below]]);
  expect(verifyLookup(merged).problems).toEqual([]);
  const found = ['2002::', '2002::1', '2002:0:2::1', '2002:0:5::', '2002:0:5::1'].map((ip) =>
    find(merged, ip),
  );
  expect(found).toEqual([undefined, { v: 'b' }, { v: 'a' }, { v: 'b' }, undefined]);
});

test('layers without any row, and no row at all', () => {
  const empty = make('a,b,v\n');
  const some = make('network,v\n0.0.0.0/0,a\n');
  expect(find(merge([[empty], [some], [empty]]), '1.2.3.4')).toEqual({ v: 'a' });
  expect(find(merge([[empty], [empty]]), '1.2.3.4')).toBeUndefined();
  const onlyIpv4 = make('network,v\n10.0.0.0/8,b\n', { forceIpv4: true, inputFormat: 'cidr' });
  expect(find(merge([[some], [onlyIpv4]]), '10.0.0.0')).toEqual({ v: 'b' });
});

test('a damaged layer is rejected', () => {
  const bytes = make('network,v\n10.0.0.0/8,a\n2001:db8::/32,b\n');
  const cyclic = Buffer.from(bytes);
  const { nodeCount } = openLookup(bytes).metadata;
  for (const [record, target] of [nodeCount, 1, 1, 1].entries()) cyclic.writeUIntBE(target, record * 3, 3);
  expect(() => merge([[bytes], [cyclic]])).toThrow('the search tree is damaged');
  expect(() => merge([[Buffer.from('nothing')]])).toThrow('not a MaxMind DB');
});

/** The rules, written down once more, for plain objects. */
function naive(
  below: LookupRecord | undefined,
  own: LookupRecord | undefined,
  rule: MergeRule,
): LookupRecord | undefined {
  if (below === undefined || own === undefined || rule === 'replace') return own ?? below;
  const merged: Record<string, LookupValue> = { ...below };
  for (const [key, value] of Object.entries(own))
    if (rule === 'override' || !(key in merged)) merged[key] = value;
  return merged;
}

test('any layers of any rows agree with a merge of their answers, as another reader finds them', () => {
  const bases = [
    0n,
    5n,
    1n << 32n,
    0xffffn << 32n,
    0x2002n << 112n,
    (0x2002n << 112n) + (5n << 80n),
    1n << 120n,
  ];
  const address = fc
    .tuple(fc.constantFrom(...bases), fc.nat(9), fc.constantFrom(0n, 80n, 96n))
    .map(([base, offset, shift]) => (base + (BigInt(offset) << shift)) % (1n << 128n));
  const row = fc.tuple(address, address, fc.constantFrom('a', 'b'), fc.nat(2));
  const layer = fc.tuple(fc.array(row, { maxLength: 6 }), fc.constantFrom('override', 'fill', 'replace'));
  fc.assert(
    fc.property(fc.array(layer, { minLength: 1, maxLength: 4 }), (drawn) => {
      const layers = drawn.map(([rows, rule], index) => {
        const lines = rows.map(([a, b, v, w]) => `${a < b ? a : b},${a < b ? b : a},${v},${index}-${w}`);
        const csv = ['a,b,shared,own' + index, ...lines].join('\n');
        return [make(csv, { inputFormat: 'ipv6-int' }), rule as MergeRule] as const;
      });
      const merged = merge(layers);
      const found = new Reader<never>(merged);
      const probes = drawn.flatMap(([rows]) =>
        rows.flatMap(([a, b]) => [a - 1n, a, a + 1n, b - 1n, b, b + 1n]),
      );
      for (const probe of [...probes, 1n << 121n].filter((value) => value >= 0n && value < 1n << 128n)) {
        const ip = toAddress(probe);
        const allowed = layers.reduce<(LookupRecord | undefined)[]>(
          (below, [bytes, rule]) =>
            below.flatMap((record) => ownRecords(bytes, ip).map((mine) => naive(record, mine, rule))),
          [undefined],
        );
        const gap = ip.startsWith('2002:') ? found.get(ipv4In(ip)) : null;
        expect(allowed.map((record) => record ?? gap)).toContainEqual(found.get(ip));
      }
      expect(verifyLookup(merged).problems).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});

/**
 * What a layer may say about an address: a row for a 6to4 address with the record of the IPv4 address within cannot be
 * distinguished from the file's own link to it.
 */
function ownRecords(bytes: Uint8Array, ip: string): (LookupRecord | undefined)[] {
  const lookup = openLookup(bytes);
  const record = lookup.find(ip);
  return ip.startsWith('2002:') && record === lookup.find(ipv4In(ip)) ? [record, undefined] : [record];
}

function ipv4In(sixToFour: string): string {
  const [, high, low] = sixToFour.split(':').map((group) => parseInt(group, 16));
  return [high! >>> 8, high! & 255, low! >>> 8, low! & 255].join('.');
}

function toAddress(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn);
  return groups.map((group) => group.toString(16)).join(':');
}
