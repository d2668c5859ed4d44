import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { build, violationsOf } from '../../test/build-in-memory.js';
import { compare } from '../../test/compare-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { openLookup } from '../mmdb/open-lookup.js';

const SPECIFIC = { inputFormat: 'auto', overlap: 'specific' } as const;
const rowsOf = (...lines: string[]): string => ['network,v', ...lines, ''].join('\n');

describe('with `specific`, the row with fewer addresses wins', () => {
  const find = (ip: string, ...lines: string[]) =>
    openLookup(build(rowsOf(...lines), SPECIFIC).bytes).find(ip)?.['v'];

  test.each([
    ['before the wider one', ['10.1.0.0/16,narrow', '10.0.0.0/8,wide']],
    ['after the wider one', ['10.0.0.0/8,wide', '10.1.0.0/16,narrow']],
    ['between wider ones', ['10.0.0.0/8,wide', '10.1.0.0/16,narrow', '10.0.0.0/9,half']],
  ])('%s', (_where, lines) => {
    expect(find('10.1.2.3', ...lines)).toBe('narrow');
    expect(find('10.200.0.1', ...lines)).toBe('wide');
  });

  test('and of rows with as many, the later one', () => {
    expect(find('10.1.2.3', '10.1.0.0/16,a', '10.1.0.0/16,b')).toBe('b');
  });

  test.each([
    ['::/0,all', '::/90,wide'],
    ['::/90,wide', '::/0,all'],
  ])('by the addresses of the whole row, where rows are split: %s, %s', (...lines) => {
    expect(find('10.1.2.3', ...lines)).toBe('wide');
    expect(find('::ffff:10.1.2.3', ...lines)).toBe('wide');
    expect(find('2001:db8::1', ...lines)).toBe('all');
  });
});

test('overlaps can be errors', () => {
  const csv = rowsOf('10.0.0.0/8,a', '10.1.0.0/16,b');
  expect(violationsOf(csv, { inputFormat: 'cidr', overlap: 'error' })).toEqual([
    'input.csv: row 3: overlaps row 2, which --overlap error does not allow',
  ]);
});

/** A few addresses in each block that the builder keeps apart, so that rows overlap often. */
const BASES = ['::', '::ffff:0.0.0.0', '::1:0:0:0', '64:ff9b::', 'ffff::'].map((text) => toNumber(text));
const address = fc
  .tuple(fc.constantFrom(...BASES), fc.nat(12))
  .map(([base, offset]) => base + BigInt(offset));
const rows = fc.array(
  fc.tuple(address, address).map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const))),
  { minLength: 1, maxLength: 14 },
);
const MAPPED = toNumber('::ffff:0.0.0.0');
const isIpv4 = ([first, last]: readonly [bigint, bigint]): boolean =>
  first >> 32n === MAPPED >> 32n && last >> 32n === MAPPED >> 32n;

/** The rows that apply to an address: for IPv4 addresses the IPv4 rows, if there are any. */
function covering(all: readonly (readonly [bigint, bigint])[], wanted: bigint): number[] {
  const ipv4 = [0n, MAPPED >> 32n].includes(wanted >> 32n) ? (wanted & 0xffff_ffffn) + MAPPED : undefined;
  const asked = ipv4 === undefined ? [wanted] : [ipv4, ipv4 - MAPPED];
  const found = all.flatMap(([first, last], row) =>
    asked.some((one) => first <= one && one <= last) ? [row] : [],
  );
  const direct = found.filter(
    (row) => isIpv4(all[row]!) && asked[0]! >= all[row]![0] && asked[0]! <= all[row]![1],
  );
  return ipv4 !== undefined && direct.length > 0 ? direct : found;
}

test('every address has the row that a naive implementation of the rule chooses, and `verify` agrees', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (all) => {
      const lines = all.map(([first, last], row) => `${toText(first)},${toText(last)},${row}`);
      const csv = ['ip_from,ip_to,v', ...lines, ''].join('\n');
      const lookup = openLookup(build(csv, SPECIFIC).bytes);
      const bySize = (a: number, b: number): number => {
        const [size, other] = [a, b].map((row) => all[row]![1] - all[row]![0]) as [bigint, bigint];
        return size === other ? b - a : size < other ? -1 : 1;
      };
      const addresses = BASES.flatMap((base) =>
        Array.from({ length: 14 }, (_, offset) => base + BigInt(offset)),
      );
      const found = addresses.map((ip) => [toText(ip), lookup.find(toText(ip))?.['v']]);
      const expected = addresses.map((ip) => [toText(ip), covering(all, ip).sort(bySize)[0]?.toString()]);
      expect(found).toEqual(expected);
      expect((await compare(csv, SPECIFIC)).differences).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

test('a lookup built by one rule differs from what the other expects', async () => {
  const csv = rowsOf('10.1.0.0/16,narrow', '10.0.0.0/8,wide');
  const later = openLookup(build(csv, { inputFormat: 'auto' }).bytes);
  expect(later.find('10.1.0.1')).toEqual({ v: 'wide' });
  expect((await compare(csv, { inputFormat: 'auto' })).differences).toEqual([]);
});

test('a summary says how many rows would have won under `specific`', () => {
  const pairs = fc.array(
    fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(pairs, (all) => {
      const lines = all.map(([first, last], row) => `10.0.0.${first},10.0.0.${last},${row}`);
      const { counts } = build(['ip_from,ip_to,v', ...lines, ''].join('\n'));
      const lost = new Set<number>();
      for (let ip = 0; ip <= 30; ip++) {
        const found = all.flatMap(([first, last], row) => (first <= ip && ip <= last ? [row] : []));
        const size = (row: number): number => all[row]![1] - all[row]![0];
        const best = [...found].sort((a, b) => size(a) - size(b) || b - a)[0];
        if (best !== undefined && best !== found.at(-1)) lost.add(best);
      }
      expect(counts.overriddenSpecific).toBe(lost.size);
    }),
    { numRuns: runs(500) },
  );
});

function toNumber(text: string): bigint {
  return ipaddr
    .parse(text)
    .toByteArray()
    .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

function toText(value: bigint): string {
  const bytes = Array.from({ length: 16 }, (_, index) => Number((value >> BigInt(8 * (15 - index))) & 0xffn));
  return new ipaddr.IPv6(bytes).toRFC5952String();
}
