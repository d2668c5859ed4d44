import { formatMessage } from '../messages/option-message.js';
import {
  INPUT_FORMATS,
  type InputFormatName,
  looksLikeAddress,
  otherFormats,
  refusal,
} from './input-format.js';

const format = (name: InputFormatName) => INPUT_FORMATS.get(name)!;

/** The format's error for a cell. */
function violationOf(name: InputFormatName, cell: string): string | undefined {
  const bytes = new TextEncoder().encode(`${cell},`);
  const end = format(name).parse(bytes, 0, new Uint32Array(8), 0);
  return end === bytes.length - 1 ? undefined : formatMessage(refusal(format(name), end, cell, []));
}

test.each<[InputFormatName, string]>([
  ['ipv6', '2001:db8::1'],
  ['ipv4', '192.0.2.1'],
  ['ipv6-int', '340282366920938463463374607431768211455'],
  ['ipv4-int', '4294967295'],
  ['cidr', '192.0.2.0/24'],
  ['cidr', '2001:db8::/32'],
  ['cidr', '192.0.2.1'],
  ['auto', '192.0.2.1'],
  ['auto', '2001:db8::1'],
])('%s takes %s', (name, cell) => {
  expect(violationOf(name, cell)).toBeUndefined();
});

test.each<[InputFormatName, string, string]>([
  ['ipv6', '192.0.2.1', 'is not an IPv6 address'],
  ['ipv4', '2001:db8::1', 'is not an IPv4 address'],
  ['ipv6-int', '2001:db8::1', 'is not a decimal number of 128 bits'],
  ['ipv6-int', '340282366920938463463374607431768211456', 'is beyond 128 bits'],
  ['ipv4-int', 'x', 'is not a decimal number of 32 bits'],
  ['ipv4-int', '4294967296', 'is beyond 32 bits'],
  [
    'cidr',
    'x',
    'is not a network (such as 192.0.2.0/24), a range (such as 192.0.2.0-192.0.2.9) or an address',
  ],
  ['cidr', '192.0.2.1/24', 'has bits set after its prefix'],
  ['auto', 'x', 'is not an IPv4 or IPv6 address'],
])('%s refuses %s: it %s', (name, cell, reason) => {
  expect(violationOf(name, cell)).toBe(reason);
});

test.each([
  '192.0.2.1',
  '2001:db8::1',
  '0',
  '16777216',
  '192.0.2.0/24',
  '192.0.2.1 ',
  '192.0.2.0-192.0.2.9',
  '9'.repeat(60),
])('%s is not a column name', (cell) => {
  expect(looksLikeAddress(cell)).toBe(true);
});

test.each(['ip_from', '', '192.0.2', '192.0.2.1x', '1x', '192.0.2.0/24-', '192.0.2.0-x', 'dead:beef'])(
  '%j may be a column name',
  (cell) => {
    expect(looksLikeAddress(cell)).toBe(false);
  },
);

test('a format is never suggested instead of itself', () => {
  const message = refusal(format('ipv4'), -1, '192.0.2.1', [format('ipv4'), format('auto')]);
  expect(formatMessage(message)).toBe('is not an IPv4 address; -i auto reads it');
});

test.each<[string, string]>([
  ['192.0.2.1', '; -i ipv4 or -i auto reads it'],
  ['2001:db8::1', '; -i ipv6 or -i auto reads it'],
  ['16777216', '; -i ipv4-int or -i ipv6-int reads it'],
  ['4294967296', '; -i ipv6-int reads it'],
  ['192.0.2.0/24', '; -i cidr reads it'],
  ['192.0.2.0 - 192.0.2.9', '; -i cidr reads it'],
  ['192.0.2', ''],
  ['', ''],
])('of all formats, %j is named those that read it%s', (cell, named) => {
  expect(formatMessage(otherFormats(cell, [...INPUT_FORMATS.values()]))).toBe(named);
});

test('only selectable formats are suggested', () => {
  const choice = [...INPUT_FORMATS.values()].filter(({ vendor }) => vendor);
  expect(choice.map(({ name }) => name)).toEqual(['ipv6-int', 'ipv4-int', 'cidr']);
  expect(formatMessage(otherFormats('192.0.2.1', choice))).toBe('; -i cidr reads it');
});
