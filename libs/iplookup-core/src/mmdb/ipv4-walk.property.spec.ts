import fc from 'fast-check';
import { Reader } from 'mmdb-lib';
import { build } from '../../test/build-in-memory.js';
import { formatIpv4 } from '../address/format-address.js';
import { type Lookup, openLookup } from './open-lookup.js';

/** More than it takes to begin at prefixes. */
const MANY = 6_000;

function used(lookup: Lookup): Lookup {
  for (let i = 0; i < MANY; i++) lookup.find('0.0.0.0');
  return lookup;
}

const network = fc.tuple(fc.nat(0xffff_ffff), fc.oneof(fc.integer({ min: 14, max: 18 }), fc.nat(32)));

test.each([
  ['both families', {}],
  ['IPv4 alone', { forceIpv4: true }],
])(
  'after many addresses, others have the record that another reader finds, and the same network: %s',
  (_families, options) => {
    fc.assert(
      fc.property(
        fc.array(network, { maxLength: 30 }),
        fc.array(fc.nat(0xffff_ffff), { maxLength: 20 }),
        (networks, others) => {
          const ranges = networks.map(([address, length]) => {
            const size = 2 ** (32 - length);
            const first = address - (address % size);
            return { first, last: first + size - 1, text: `${formatIpv4(first)}/${length}` };
          });
          const csv = `network,v\n${ranges.map(({ text }, row) => `${text},v${row % 4}\n`).join('')}`;
          const { bytes } = build(csv, { inputFormat: 'cidr', overlap: 'specific', ...options });
          const [fresh, often] = [openLookup(bytes), used(openLookup(bytes))];
          const other = new Reader<Record<string, never>>(bytes);
          const ends = ranges.flatMap(({ first, last }) => [first - 1, first, last, last + 1]);
          const asked = [0, 0xffff_ffff, ...ends, ...others].map((address) => formatIpv4(address >>> 0));
          expect(asked.map((text) => often.findNetwork(text))).toEqual(
            asked.map((text) => fresh.findNetwork(text)),
          );
          expect(asked.map((text) => often.find(text) ?? null)).toEqual(asked.map((text) => other.get(text)));
        },
      ),
      { numRuns: 60 },
    );
  },
);

test('after many addresses, a lookup of IPv6 alone still has no IPv4 address', () => {
  const lookup = used(openLookup(build('network,v\n2001:db8::/49,six\n', { inputFormat: 'cidr' }).bytes));
  expect(lookup.find('32.1.13.184')).toBeUndefined();
  expect(lookup.find('2001:db8::1')).toEqual({ v: 'six' });
});
