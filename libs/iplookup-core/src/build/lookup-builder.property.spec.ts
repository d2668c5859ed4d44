import fc from 'fast-check';
import { Reader, type Response } from 'mmdb-lib';
import { build } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { verifyLookup } from '../verify/verify-lookup.js';

/** A row, with its addresses as numbers. */
interface Row {
  readonly first: bigint;
  readonly last: bigint;
  readonly value: string;
}

const MAPPED = 0xffffn << 32n;
const SIX_TO_FOUR = 0x2002n << 112n;
const inBlock = (address: bigint, block: bigint, hostBits: bigint) =>
  address >> hostBits === block >> hostBits;

/** The documented rule, implemented naively: the last row that covers the address wins. */
function naive(rows: readonly Row[], address: bigint): string | undefined {
  if (address >> 32n === 0n) return ofIpv4(rows, address);
  if (inBlock(address, MAPPED, 32n)) return ofIpv4(rows, address - MAPPED);
  const own = rows.findLast((row) => covers(row, address))?.value;
  if (own !== undefined || !inBlock(address, SIX_TO_FOUR, 112n)) return own;
  return ofIpv4(rows, (address >> 80n) & 0xffff_ffffn);
}

const covers = ({ first, last }: Row, address: bigint) => first <= address && address <= last;

/** The last IPv4 row that covers the address, else the last of the others that covers a form of it. */
function ofIpv4(rows: readonly Row[], ipv4: bigint): string | undefined {
  const isIpv4Row = ({ first, last }: Row) => inBlock(first, MAPPED, 32n) && inBlock(last, MAPPED, 32n);
  const own = rows.findLast((row) => isIpv4Row(row) && covers(row, ipv4 + MAPPED));
  return (own ?? rows.findLast((row) => covers(row, ipv4 + MAPPED) || covers(row, ipv4)))?.value;
}

const toText = (address: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((address >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');

const max = (bits: number) => (1n << BigInt(bits)) - 1n;

/** Addresses crowd around the borders that the tree treats in a way of their own. */
const anchors = [
  0n,
  max(32),
  1n << 32n,
  MAPPED,
  MAPPED + max(32),
  MAPPED + (1n << 31n),
  SIX_TO_FOUR,
  SIX_TO_FOUR + max(112),
  0x2001n << 112n,
  max(128),
];
const near = fc
  .tuple(fc.constantFrom(...anchors), fc.nat(127), fc.integer({ min: -9, max: 9 }), fc.boolean())
  .map(([anchor, bits, offset, far]) => {
    const address = anchor + BigInt(offset) + (far ? 1n << BigInt(bits) : 0n);
    return address < 0n ? 0n : address > max(128) ? max(128) : address;
  });
const address = fc.oneof(
  near,
  fc.bigInt({ min: 0n, max: max(128) }),
  fc.bigInt({ min: MAPPED, max: MAPPED + max(32) }),
);
const row = fc
  .tuple(address, address, fc.boolean(), fc.constantFrom('a', 'b', 'c', 'd', 'e'))
  .map(([x, y, single, value]): Row => ({
    first: x < y ? x : y,
    last: single ? (x < y ? x : y) : x < y ? y : x,
    value,
  }));

test('rows in any order are found like by a linear search', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.array(address, { maxLength: 10 }), (rows, others) => {
      const csv = `a,b,v\n${rows.map(({ first, last, value }) => `${first},${last},${value}\n`).join('')}`;
      const { bytes } = build(csv, { inputFormat: 'ipv6-int' });
      expect(verifyLookup(bytes).problems).toEqual([]);
      const lookup = openLookup(bytes);
      const foreign = new Reader<Response>(bytes);
      const edges = rows.flatMap(({ first, last }) => [
        first,
        last,
        first - 1n,
        last + 1n,
        (first + last) / 2n,
      ]);
      const asked = [...edges, ...others, ...anchors].filter((x) => x >= 0n && x <= max(128));
      const expected = asked.map((x) => [toText(x), naive(rows, x)]);
      const texts = asked.map(toText);
      expect(texts.map((text) => [text, lookup.find(text)?.['v']])).toEqual(expected);
      expect(texts.map((text) => [text, (foreign.get(text) as { v?: string } | null)?.v])).toEqual(expected);
    }),
    { numRuns: runs(400) },
  );
}, 60_000);

test('rows in another order give the same answers when none overlap', () => {
  const starts = fc.uniqueArray(fc.nat(0xffff_ff00), { maxLength: 60 });
  fc.assert(
    fc.property(starts, fc.infiniteStream(fc.nat(6)), (unsorted, values) => {
      const sorted = [...unsorted].sort((a, b) => a - b);
      const rows = sorted.map((first, i) => {
        const next = sorted[i + 1] ?? 0xffff_ffff;
        return `${first},${Math.max(first, Math.min(next - 1, first + 300))},v${[...values.take(1)][0]}\n`;
      });
      const shuffled = rows.toReversed();
      const inOrder = build(`a,b,v\n${rows.join('')}`, { inputFormat: 'ipv4-int' });
      const outOfOrder = build(`a,b,v\n${shuffled.join('')}`, { inputFormat: 'ipv4-int' });
      expect(outOfOrder.counts).toMatchObject({ overlaps: 0, nodes: inOrder.counts.nodes });
      const networksOf = ({ bytes }: { readonly bytes: Buffer }) => {
        const lookup = openLookup(bytes);
        return sorted.map((first) =>
          lookup.findNetwork([24, 16, 8, 0].map((shift) => (first >>> shift) & 255).join('.')),
        );
      };
      expect(networksOf(outOfOrder)).toEqual(networksOf(inOrder));
    }),
    { numRuns: runs(100) },
  );
});
