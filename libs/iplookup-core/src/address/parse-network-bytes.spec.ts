import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { MALFORMED } from './parse-address-bytes.js';
import { parseNetwork, STRAY_BITS } from './parse-network-bytes.js';

const AT = 1;
const out = new Uint32Array(10);
const parse = (text: string): number => parseNetwork(new TextEncoder().encode(`${text},`), 0, out, AT);
const valueAt = (at: number): bigint =>
  [...out.subarray(at, at + 4)].reduce((value, word) => (value << 32n) | BigInt(word), 0n);
const mapped = (octets: readonly number[]): bigint =>
  octets.reduce((value, octet) => (value << 8n) | BigInt(octet), octets.length === 4 ? 0xffffn : 0n);

test.each([4, 16])('any network of %p bytes has the addresses that ipaddr.js says', (size) => {
  const bytes = fc.uint8Array({ minLength: size, maxLength: size });
  fc.assert(
    fc.property(bytes, fc.nat(8 * size), (octets, length) => {
      const address = ipaddr.fromByteArray([...octets]);
      const base =
        size === 4
          ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${length}`)
          : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${length}`);
      const text = `${base.toString()}/${length}`;
      expect(parse(text)).toBe(text.length);
      const first = mapped(base.toByteArray());
      expect(valueAt(AT)).toBe(first);
      expect(valueAt(AT + 4)).toBe(first + (1n << BigInt(8 * size - length)) - 1n);
      if (base.toString() !== address.toString()) expect(parse(`${address}/${length}`)).toBe(STRAY_BITS);
    }),
  );
});

test.each(['192.0.2.7', '2001:db8::7'])('%s alone is a network of one address', (text) => {
  expect(parse(text)).toBe(text.length);
  expect(valueAt(AT)).toBe(mapped(ipaddr.parse(text).toByteArray()));
  expect(valueAt(AT + 4)).toBe(valueAt(AT));
});

test.each(['10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/08', '::/00', '10.0.0.0/x', 'x/8', '::/999'])(
  '%s is malformed',
  (text) => {
    expect(parse(text)).toBe(MALFORMED);
  },
);

test('text after the prefix is left to the caller', () => {
  expect(parse('0.0.0.0/0;')).toBe('0.0.0.0/0'.length);
  expect(parse('::/1234')).toBe('::/123'.length);
});

test.each(['', ' ', '  '])(
  'two addresses of one family with a dash between (and %j around it) are a range',
  (blanks) => {
    const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
    const pair = fc.oneof(fc.tuple(bytes(4), bytes(4)), fc.tuple(bytes(16), bytes(16)));
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [first, last] = [a, b].map((content) => ipaddr.fromByteArray([...content]).toString());
        const text = `${first}${blanks}-${blanks}${last}`;
        expect(parse(text)).toBe(text.length);
        expect(valueAt(AT)).toBe(mapped([...a]));
        expect(valueAt(AT + 4)).toBe(mapped([...b]));
      }),
    );
  },
);

test.each(['10.0.0.0-', '10.0.0.0-x', '10.0.0.0 - ::1', '::1-10.0.0.0', '10.0.0.0--10.0.0.1'])(
  '%s is an address with something behind it',
  (text) => {
    expect(parse(text)).toBe(text.indexOf(text.includes(' ') ? ' ' : '-'));
  },
);
