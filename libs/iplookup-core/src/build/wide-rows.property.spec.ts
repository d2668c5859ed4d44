import fc from 'fast-check';
import { Reader, type Response } from 'mmdb-lib';
import { build } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';

/** An IPv4 row or an IPv6 row, of a file with both. */
interface Row {
  readonly first: string;
  readonly last: string;
  readonly value: string;
}

/** DB-IP's filler row before the IPv6 rows, and default rows from other vendors' files. */
const WIDE = [
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::1', '::1:0:0:0'],
  ['::fffe:0:0', '::1:0:0:0'],
] as const;

const ipv4Text = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.');
const toNumber = (text: string) => text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);

/** The last IPv4 row that covers the address, else the last wide one: all of these cover the whole IPv4 block. */
function naive(rows: readonly Row[], address: number): string | undefined {
  const isIpv4 = ({ first }: Row) => first.includes('.');
  const own = rows.findLast(
    (row) => isIpv4(row) && toNumber(row.first) <= address && address <= toNumber(row.last),
  );
  return (own ?? rows.findLast((row) => !isIpv4(row)))?.value;
}

const boundary = fc.oneof(
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.integer({ min: 0x0100_0000, max: 0x0100_0040 }),
  fc.constantFrom(0, 0xffff_ffff, 0x7fff_ffff, 0x8000_0000),
);
const ipv4Row = fc.tuple(boundary, boundary, fc.constantFrom('a', 'b', 'c')).map(([x, y, value]) => ({
  first: ipv4Text(Math.min(x, y)),
  last: ipv4Text(Math.max(x, y)),
  value,
}));
const wideRow = fc
  .tuple(fc.constantFrom(...WIDE), fc.constantFrom('ZZ', 'YY'))
  .map(([[first, last], value]) => ({ first, last, value }));

/** Rows with one wide row or two: in front of the IPv4 rows, behind them, or among them. */
const file = fc
  .tuple(
    fc.array(ipv4Row, { maxLength: 12 }),
    fc.array(wideRow, { minLength: 1, maxLength: 2 }),
    fc.constantFrom('before', 'after', 'among'),
    fc.nat(12),
  )
  .map(([own, wide, where, place]) => {
    const at = where === 'before' ? 0 : where === 'after' ? own.length : place % (own.length + 1);
    return [...own.slice(0, at), ...wide, ...own.slice(at)];
  });

test.each([{}, { includeIpRange: true }, { forceIpv4: true }])(
  'a wide IPv6 row in any position applies to IPv4 addresses that no IPv4 row covers (%j)',
  (options) => {
    fc.assert(
      fc.property(file, fc.array(boundary, { maxLength: 10 }), (rows, others) => {
        const csv = `a,b,v\n${rows.map(({ first, last, value }) => `${first},${last},${value}\n`).join('')}`;
        const reader = new Reader<Response>(build(csv, { inputFormat: 'auto', ...options }).bytes);
        const ends = rows.filter(({ first }) => first.includes('.')).flatMap((row) => [row.first, row.last]);
        const edges = ends.map(toNumber).flatMap((end) => [end - 1, end, end + 1]);
        const asked = [...edges, ...others].filter((address) => address >= 0 && address <= 0xffff_ffff);
        const found = (text: string) => (reader.get(text) as { v?: string } | null)?.v;
        expect(asked.map(ipv4Text).map((text) => [text, found(text)])).toEqual(
          asked.map((address) => [ipv4Text(address), naive(rows, address)]),
        );
      }),
      { numRuns: runs(150) },
    );
  },
  60_000,
);
