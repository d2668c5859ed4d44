import { build } from '../../test/build-in-memory.js';
import { diffLookups } from '../diff/diff-lookups.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { recordOffsets } from '../networks/record-offsets.js';
import { dumpColumns, TooManyColumnsError } from './dump-columns.js';
import { dumpRows } from './dump-rows.js';
import type { DumpForm } from './record-ranges.js';

const parse = (csv: string, options = {}) =>
  new ParsedLookup(build(csv, { inputFormat: 'auto', ...options }).bytes);
const rowsOf = (lookup: ParsedLookup, form: DumpForm = 'range') => [
  ...dumpRows(lookup, dumpColumns(lookup, recordOffsets(lookup), form), form),
];

test.each([
  ['only one of the two is an address', '10.0.0.0', 'later'],
  ['neither is one', 'sooner', 'later'],
])('columns ip_from and ip_to are columns like others where %s', (_what, from, to) => {
  expect(rowsOf(parse(`a,b,ip_from,ip_to\n10.0.0.0,10.0.0.3,${from},${to}\n`))).toEqual([
    ['range_first', 'range_last', 'ip_from', 'ip_to'],
    ['10.0.0.0', '10.0.0.3', from, to],
  ]);
});

test.each([
  ['other addresses', 'a,b,ip_from,ip_to\n10.0.0.0,10.0.0.3,192.0.2.0,192.0.2.3\n', {}],
  ['spelled differently', 'a,b,ip_from,ip_to\n2001:db8::,2001:db8::1,2001:DB8::,2001:DB8::1\n', {}],
  [
    'ranges that another row divides',
    'a,b,v\n10.0.0.0,10.0.0.9,x\n10.0.0.4,10.0.0.5,y\n',
    { includeIpRange: true },
  ],
  ['forms of IPv4 addresses', 'a,b,v\n::5,::9,x\n', { includeIpRange: true }],
])('columns ip_from and ip_to that are %s are kept', (_what, csv, options) => {
  const lookup = parse(csv, options);
  for (const form of ['range', 'cidr'] as const) {
    const rows = rowsOf(lookup, form);
    expect(rows[0]).toEqual(expect.arrayContaining(['ip_from', 'ip_to']));
    const again = parse(rows.map((row) => row.join()).join('\n'));
    expect(diffLookups(lookup, again, 9).differences).toEqual([]);
  }
});

test('columns ip_from and ip_to that are the addresses of the row are left out', () => {
  const csv = 'a,b,v\n10.0.0.0,10.0.0.2,x\n10.0.0.3,10.0.0.3,x\n2001:db8::,2001:db8::ff,x\n';
  const options = { includeIpRange: true };
  const lookup = parse(csv, options);
  expect(rowsOf(lookup)).toEqual([
    ['ip_from', 'ip_to', 'v'],
    ['10.0.0.0', '10.0.0.2', 'x'],
    ['10.0.0.3', '10.0.0.3', 'x'],
    ['2001:db8::', '2001:db8::ff', 'x'],
  ]);
  expect(rowsOf(lookup, 'cidr').slice(0, 3)).toEqual([
    ['network', 'ip_from', 'ip_to', 'v'],
    ['10.0.0.0/31', '10.0.0.0', '10.0.0.2', 'x'],
    ['10.0.0.2/32', '10.0.0.0', '10.0.0.2', 'x'],
  ]);
  const aligned = parse('network,v\n10.0.0.0/31,x\n10.0.0.2/32,x\n', options);
  expect(rowsOf(aligned, 'cidr')).toEqual([
    ['network', 'v'],
    ['10.0.0.0/31', 'x'],
    ['10.0.0.2/32', 'x'],
  ]);
});

test('ranges with the same record are merged if adjacent', () => {
  const csv =
    'a,b,v\n::2,::3,x\n0.0.0.0,0.0.0.1,x\n0.0.0.8,0.0.0.8,x\n0.0.0.9,0.0.0.9,y\n255.255.255.255,255.255.255.255,x\n';
  expect(rowsOf(parse(csv.replace('::2,::3,x\n', '')))).toEqual([
    ['ip_from', 'ip_to', 'v'],
    ['0.0.0.0', '0.0.0.1', 'x'],
    ['0.0.0.8', '0.0.0.8', 'x'],
    ['0.0.0.9', '0.0.0.9', 'y'],
    ['255.255.255.255', '255.255.255.255', 'x'],
  ]);
});

test('too many columns for a table are rejected', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`).join();
  const wide = (count: number) => parse(`network,${names(count)}\n10.0.0.0/8,${names(count)}\n`);
  const columns = (lookup: ParsedLookup) => dumpColumns(lookup, recordOffsets(lookup));
  expect(columns(wide(4096))).toHaveLength(4096);
  const refusal = new TooManyColumnsError();
  expect([refusal.name, refusal.message]).toEqual([
    'TooManyColumnsError',
    'the records have more than 4096 different keys: too many for a table',
  ]);
  expect(() => columns(wide(4097))).toThrow(refusal);
});

test('records of different keys or shapes differ, whichever of the two has more', () => {
  const text = 'network,country_code,subdivision_1_iso_code\n10.0.0.0/8,XA,S1\n';
  const [flat, nested] = [parse(text), parse(text, { schema: 'geoip2' })];
  const fewer = parse('network,country_code\n10.0.0.0/8,XA\n');
  const shorter = parse('network,country_code,subdivision_1_iso_code\n10.0.0.0/8,XA,\n');
  const changed = (before: ParsedLookup, after: ParsedLookup) => diffLookups(before, after, 0).ipv4.changed;
  for (const [a, b] of [
    [flat, nested],
    [flat, fewer],
    [fewer, shorter],
    [parse('network,v\n10.0.0.0/8,1\n'), parse('network,w\n10.0.0.0/8,1\n')],
  ] as const)
    expect([changed(a, b), changed(b, a), changed(a, a)]).toEqual(a === fewer ? [0, 0, 0] : [1, 1, 0]);
});

test('records that occur again in another pair are compared again', () => {
  const rows = (values: readonly string[]) =>
    parse(`network,v\n${values.map((value, i) => `10.${i}.0.0/16,${value}`).join('\n')}\n`);
  const { ipv4, differences } = diffLookups(rows(['a', 'b', 'a', 'b']), rows(['a', 'b', 'b', 'a']), 9);
  expect(ipv4).toEqual({ added: 0, removed: 0, changed: 2 });
  expect(differences.map(({ network }) => network)).toEqual(['10.2.0.0/16', '10.3.0.0/16']);
});
