import { build } from '../../test/build-in-memory.js';
import { LookupFormatError } from './mmdb.errors.js';
import { openLookup } from './open-lookup.js';

const CSV = 'network,v\n1.2.0.0/16,four\n2001:db8::/49,six\n::2:0:0/96,low\n1:0:ffff::/48,odd\n';
const bytesOf = (text = CSV, options = {}) =>
  Buffer.from(build(text, { inputFormat: 'cidr', ...options }).bytes);

test.each([
  ['1.2.3.4', '1.2.0.0/16', 'four'],
  ['::ffff:1.2.3.4', '1.2.0.0/16', 'four'],
  ['1.3.0.0', '1.3.0.0/16', undefined],
  ['2001:db8:0:7fff::1', '2001:db8::/49', 'six'],
  ['2001:db8:0:8000::1', '2001:db8:0:8000::/49', undefined],
  ['::2:102:304', '::2:0:0/96', 'low'],
  ['1:0:ffff:102:304::', '1:0:ffff::/48', 'odd'],
  ['0:1:ffff::1.2.3.4', '0:1::/32', undefined],
])('%s lies in %s', (address, network, value) => {
  const lookup = openLookup(bytesOf());
  expect(lookup.findNetwork(address)).toEqual({ network, record: value && { v: value } });
  expect(lookup.find(address)).toEqual(value && { v: value });
});

test.each(['', '1.2.3', '1.2.3.4/16', 'fe80::1%eth0'])('%p is not an address', (text) => {
  const lookup = openLookup(bytesOf());
  expect(lookup.find(text)).toBeUndefined();
  expect(lookup.findNetwork(text)).toBeUndefined();
});

test('a lookup of IPv4 alone knows no other IPv6 address than the mapped ones', () => {
  const lookup = openLookup(
    bytesOf('ip_from,ip_to,v\n1.2.0.0,1.2.255.255,four\n', { inputFormat: 'ipv4', forceIpv4: true }),
  );
  expect(lookup.metadata.ipVersion).toBe(4);
  expect(lookup.findNetwork('::ffff:1.2.3.4')).toEqual({ network: '1.2.0.0/16', record: { v: 'four' } });
  expect(lookup.findNetwork('2001:db8::')).toEqual({ network: '::/0', record: undefined });
});

test('a record shared by many addresses is decoded once, and frozen', () => {
  const lookup = openLookup(bytesOf());
  const record = lookup.find('1.2.3.4');
  expect(lookup.find('1.2.9.9')).toBe(record);
  expect(Object.isFrozen(record)).toBe(true);
});

describe('a damaged file', () => {
  const whole = 'network,v\n0.0.0.0/0,abc\n::/0,abc\n';

  /** Where every address leads. */
  function leadTo(place: (nodeCount: number, dataBytes: number) => number): () => unknown {
    const bytes = bytesOf(whole);
    const { nodeCount } = openLookup(bytes).metadata;
    const dataBytes = bytes.indexOf('\xab\xcd\xefMaxMind.com', 0, 'latin1') - nodeCount * 6 - 16;
    bytes.writeUIntBE(place(nodeCount, dataBytes), 3, 3);
    return () => openLookup(bytes).find('8000::');
  }

  test.each([
    ['into the separator', (nodes: number) => nodes + 15],
    ['just behind the data', (nodes: number, data: number) => nodes + 16 + data],
    ['far behind the data', () => 0xffffff],
  ])('a record that leads %s', (_where, place) => {
    expect(leadTo(place)).toThrow(LookupFormatError);
    expect(leadTo(place)).toThrow(/^the search tree leads to the invalid record \d+$/);
  });

  test('a record that points to a text', () => {
    // The map of the only record is one byte, its key two, and then comes the text.
    expect(leadTo((nodes) => nodes + 16 + 3)).toThrow(
      new LookupFormatError('the record of an address is not a map of columns'),
    );
    expect(leadTo((nodes) => nodes + 16)()).toEqual({ v: 'abc' });
  });
});
