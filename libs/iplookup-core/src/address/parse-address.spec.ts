import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { formatIpv4, formatIpv6 } from './format-address.js';
import { parseAddress } from './parse-address.js';

const words = new Uint32Array(4);
const bytesOf = (family: 4 | 6 | undefined): number[] => {
  const count = family === 4 ? 1 : 4;
  return [...words.subarray(0, count)].flatMap((word) => [
    word >>> 24,
    (word >>> 16) & 255,
    (word >>> 8) & 255,
    word & 255,
  ]);
};

test.each([
  '0.0.0.0',
  '255.255.255.255',
  '10.1.2.3',
  '::',
  '::1',
  '1::',
  '2001:db8::8:800:200c:417a',
  'FF01:0:0:0:0:0:0:101',
  '1:2:3:4:5:6:7::',
  '::2:3:4:5:6:7:8',
  '::ffff:129.144.52.38',
  '1:2:3:4:5:6:1.2.3.4',
])('%s is read as ipaddr.js reads it', (text) => {
  expect(bytesOf(parseAddress(text, words))).toEqual(ipaddr.parse(text).toByteArray());
});

test.each([
  '',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '010.0.0.1',
  '1.2.3.',
  ' 1.2.3.4',
  '1.2.3.4 ',
  '1.2.3.4/24',
  ':',
  ':::',
  '1:',
  ':1',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '1::2::3',
  '12345::',
  'g::',
  '1:2:3:4:5:6:7:1.2.3.4',
  '::1.2.3',
  '::1.2.3.4:5',
  'fe80::1%eth0',
  '::1/64',
  '１.2.3.4',
  '0000:0000:0000:0000:0000:0000:0000:00001',
])('%p is not an address', (text) => {
  expect(parseAddress(text, words)).toBeUndefined();
});

const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const ipv6 = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });

test('any IPv4 address survives printing and reading', () => {
  fc.assert(
    fc.property(ipv4, (octets) => {
      expect(parseAddress(octets.join('.'), words)).toBe(4);
      expect(formatIpv4(words[0]!)).toBe(octets.join('.'));
    }),
  );
});

test('any IPv6 address is printed as RFC 5952 says and reads back', () => {
  fc.assert(
    fc.property(ipv6, (groups) => {
      const address = new ipaddr.IPv6(groups);
      expect(parseAddress(address.toNormalizedString(), words)).toBe(6);
      const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
      const text = formatIpv6(words, 0);
      if (!mapped) expect(text).toBe(address.toRFC5952String());
      expect(parseAddress(text, words)).toBe(6);
      expect(bytesOf(6)).toEqual(address.toByteArray());
    }),
  );
});

test('an IPv4-compatible address keeps its zeros, where ipaddr.js would make it IPv4-mapped', () => {
  expect(parseAddress('::13.1.68.3', words)).toBe(6);
  expect(bytesOf(6)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13, 1, 68, 3]);
});

test('IPv6 addresses are exactly those that the URL parser accepts as IPv6 hosts', () => {
  const piece = fc.constantFrom(':', '::', '1', 'ffff', '0', '1.2.3.4', 'abcde', '.', '9');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join('');
      const url = `http://[${text}]/`;
      if (!URL.canParse(url)) expect(parseAddress(text, words)).not.toBe(6);
      else {
        const host = new URL(url).hostname.slice(1, -1);
        expect(bytesOf(parseAddress(text, words))).toEqual(ipaddr.IPv6.parse(host).toByteArray());
      }
    }),
    { numRuns: 5000 },
  );
});
