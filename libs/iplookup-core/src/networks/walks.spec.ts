import fc from 'fast-check';
import { parseString } from 'fast-csv';
import { build } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';
import type { BuildOptions } from '../build/build-options.js';
import { diffLookups } from '../diff/diff-lookups.js';
import { dumpColumns } from '../dump/dump-columns.js';
import { dumpRows } from '../dump/dump-rows.js';
import type { DumpForm } from '../dump/record-ranges.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { FamilyTree } from './family-tree.js';
import { NetworkWalk } from './network-walk.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { recordOffsets } from './record-offsets.js';

const make = (csv: string, options: Partial<BuildOptions> = {}) =>
  build(csv, { inputFormat: 'auto', ...options }).bytes;
const dump = (bytes: Uint8Array, form: DumpForm = 'range') => {
  const lookup = new ParsedLookup(bytes);
  return [...dumpRows(lookup, dumpColumns(lookup, recordOffsets(lookup)), form)];
};
const toCsv = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
const networksOf = (bytes: Uint8Array, family: 4 | 6) => {
  const walk = new NetworkWalk(new FamilyTree(new ParsedLookup(bytes), family));
  const found: string[] = [];
  while (walk.next()) found.push(walk.network);
  return found;
};

const csv = [
  'a,b,site,"floor, room",note',
  '10.0.0.0,10.0.0.255,"Head ""office""",1,',
  '10.0.1.0,10.0.1.9,Depot,,"two\nlines"',
  '0.0.0.0,0.0.0.0,first,,',
  '255.255.255.255,255.255.255.255,last,,',
  '2001:db8::,2001:db8::ffff,six,,',
  '2002:a00:100::,2002:a00:100:ffff:ffff:ffff:ffff:ffff,own,,',
  'ffff::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,end,,',
].join('\n');

test('networks are in order, and IPv4 addresses in alternative forms are skipped', () => {
  expect(networksOf(make(csv), 4)).toEqual([
    '0.0.0.0/32',
    '10.0.0.0/24',
    '10.0.1.0/29',
    '10.0.1.8/31',
    '255.255.255.255/32',
  ]);
  expect(networksOf(make(csv), 6)).toEqual(['2001:db8::/112', '2002:a00:100::/48', 'ffff::/16']);
  expect(networksOf(make('a,b,v\n'), 4)).toEqual([]);
  expect(networksOf(make('network,v\n0.0.0.0/0,x\n'), 4)).toEqual(['0.0.0.0/0']);
  expect(networksOf(make('network,v\n0.0.0.0/0,x\n'), 6)).toEqual([]);
});

test('a cyclic tree is rejected instead of followed forever', () => {
  const bytes = Buffer.from(make(csv));
  const { nodeCount } = openLookup(bytes).metadata;
  for (const [record, target] of [nodeCount, 1, 1, 1].entries()) bytes.writeUIntBE(target, record * 3, 3);
  expect(() => networksOf(bytes, 6)).toThrow('the search tree is damaged: it has paths without end');
});

test('a tree that shares nodes repeatedly is rejected, even if no path is too long', () => {
  const nodeCount = 100;
  const joined = {
    bits: 128 as const,
    root: 0,
    nodeCount,
    child: (node: number) => node + 1,
    isIpv4Alias: () => false,
  };
  const walkOn = (walk: NetworkWalk) => {
    while (walk.next());
  };
  const refusal = 'the search tree is damaged: it has paths without end';
  expect(() => walkOn(new NetworkWalk(joined))).toThrow(refusal);
  const empty = { ...joined, nodeCount: 0 };
  expect(() => walkOn(new NetworkWalk(empty, joined))).toThrow(refusal);
});

describe('a dump', () => {
  test('leaves out the addresses that --include-ip-range added, and keeps columns of these names', () => {
    const range = make('a,b,v\n10.0.0.0,10.0.0.3,x\n', { includeIpRange: true });
    expect(dump(range)).toEqual([
      ['ip_from', 'ip_to', 'v'],
      ['10.0.0.0', '10.0.0.3', 'x'],
    ]);
    const own = make('start,end,ip_to,network\n10.0.0.0,10.0.0.3,tower,x\n');
    expect(dump(own)).toEqual([
      ['range_first', 'range_last', 'ip_to', 'network'],
      ['10.0.0.0', '10.0.0.3', 'tower', 'x'],
    ]);
    expect(dump(own, 'cidr')).toEqual([
      ['range', 'ip_to', 'network'],
      ['10.0.0.0/30', 'tower', 'x'],
    ]);
    expect(make(toCsv(dump(own))).equals(own)).toBe(true);
  });

  test('has ranges, the columns in their order, and empty cells where a record has none', () => {
    expect(dump(make(csv)).slice(0, 4)).toEqual([
      ['ip_from', 'ip_to', 'site', 'floor, room', 'note'],
      ['0.0.0.0', '0.0.0.0', 'first', '', ''],
      ['10.0.0.0', '10.0.0.255', 'Head "office"', '1', ''],
      ['10.0.1.0', '10.0.1.9', 'Depot', '', 'two\nlines'],
    ]);
    expect(dump(make(csv), 'cidr')[3]).toEqual(['10.0.1.0/29', 'Depot', '', 'two\nlines']);
  });

  test.each([
    ['range', 'auto'],
    ['cidr', 'cidr'],
  ] as const)('by %s rebuilds the same file', (form, inputFormat) => {
    const bytes = make(csv);
    expect(build(toCsv(dump(bytes, form)), { inputFormat }).bytes.equals(bytes)).toBe(true);
  });

  test.each([
    ['typed values', 'network,latitude,elevation\n10.0.0.0/8,1.25,-3\n', { types: true }],
    ['IPv4 only', 'network,v\n10.0.0.0/8,1\n', { forceIpv4: true }],
    [
      'nested records',
      'network,country_code,city_name,latitude,subdivision_1_iso_code,subdivision_2_iso_code,asn\n10.0.0.0/8,XA,C,1.5,S1,S2,64500\n',
      { schema: 'geoip2' },
    ],
    ['records with their addresses', 'network,v\n10.0.0.0/8,1\n', { includeIpRange: true }],
  ] as const)('of %s too, with the same options', (_case, text, options) => {
    const bytes = make(text, { inputFormat: 'cidr', ...options });
    expect(make(toCsv(dump(bytes)), options).equals(bytes)).toBe(true);
  });

  test('of any rows rebuilds an equivalent lookup', () => {
    const bases = [0n, 1n << 32n, 0xffffn << 32n, 0x2002n << 112n, (0x2002n << 112n) + (10n << 104n)];
    const address = fc
      .tuple(fc.constantFrom(...bases), fc.nat(9))
      .map(([base, offset]) => base + BigInt(offset));
    fc.assert(
      fc.property(fc.array(fc.tuple(address, address, fc.nat(2)), { maxLength: 8 }), (rows) => {
        const lines = rows.map(([a, b, v]) => (a < b ? `${a},${b},${v}` : `${b},${a},${v}`));
        const bytes = make(['a,b,v', ...lines].join('\n'), { inputFormat: 'ipv6-int' });
        const again = make(toCsv(dump(bytes)));
        const { ipv4, ipv6 } = diffLookups(new ParsedLookup(bytes), new ParsedLookup(again), 1);
        expect([ipv4, ipv6]).toEqual(Array(2).fill({ added: 0, removed: 0, changed: 0 }));
        for (const ip of ['::1', '::ffff:0:3', '2002::1', '2002:a00::2', '::1:0:4'])
          expect(openLookup(again).find(ip)).toEqual(openLookup(bytes).find(ip));
      }),
      { numRuns: runs(200) },
    );
  });

  test('reads back by fast-csv', async () => {
    const rows = dump(make(csv));
    const read = await new Promise((resolve) => {
      const found: string[][] = [];
      parseString(toCsv(rows))
        .on('data', (row: string[]) => found.push(row))
        .on('end', () => resolve(found));
    });
    expect(read).toEqual(rows);
  });
});

describe('a diff', () => {
  const diff = (before: string, after: string, limit = 10, options: Partial<BuildOptions> = {}) =>
    diffLookups(new ParsedLookup(make(before)), new ParsedLookup(make(after, options)), limit);

  test('lists exactly the networks added, removed and changed', () => {
    const before = 'network,v,w\n10.0.0.0/8,a,1\n11.0.0.0/8,b,1\n2001:db8::/32,c,1\n';
    const after = 'network,v,w\n10.0.0.0/8,a,1\n10.64.0.0/10,z,1\n12.0.0.0/8,b,1\n2001:db8::/32,d,1\n';
    expect(diff(before, after)).toEqual({
      ipv4: { added: 1, removed: 1, changed: 1 },
      ipv6: { added: 0, removed: 0, changed: 1 },
      differences: [
        { network: '10.64.0.0/10', before: { v: 'a', w: '1' }, after: { v: 'z', w: '1' } },
        { network: '11.0.0.0/8', before: { v: 'b', w: '1' }, after: undefined },
        { network: '12.0.0.0/8', before: undefined, after: { v: 'b', w: '1' } },
        { network: '2001:db8::/32', before: { v: 'c', w: '1' }, after: { v: 'd', w: '1' } },
      ],
    });
    expect(diff(before, after, 1).differences).toHaveLength(1);
  });

  test('ignores column order and file layout', () => {
    const before = 'network,v,w\n10.0.0.0/8,a,1\n11.0.0.0/8,a,1\n';
    const after = 'a,b,w,v\n10.0.0.0,11.255.255.255,1,a\n';
    expect(diff(before, after).differences).toEqual([]);
    expect(diff(before, after, 10, { forceIpv4: true, inputFormat: 'ipv4' }).differences).toEqual([]);
  });

  test('a number differs from its text', () => {
    const text = 'network,latitude\n10.0.0.0/8,1.5\n';
    expect(diff(text, text, 10, { types: true }).ipv4.changed).toBe(1);
  });

  test('rows of 6to4 addresses of their own differ from the alias they replace', () => {
    const before = 'network,v\n10.0.0.0/8,a\n';
    expect(diff(before, `${before}2002:a01::/32,b\n`).differences).toEqual([
      { network: '2002:a01::/32', before: undefined, after: { v: 'b' } },
    ]);
  });
});
