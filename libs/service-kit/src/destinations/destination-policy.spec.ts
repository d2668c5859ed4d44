import { DestinationPolicy } from './destination-policy.js';

/** One address of every block of the IANA special-purpose registries that is not globally reachable, and its like. */
const SPECIAL = [
  ['this network', '0.0.0.0'],
  ['this network, not its first', '0.1.2.3'],
  ['private use', '10.0.0.1'],
  ['private use', '172.31.255.255'],
  ['private use', '192.168.1.1'],
  ['shared address space', '100.127.255.254'],
  ['loopback', '127.0.0.1'],
  ['loopback, not its first', '127.255.255.254'],
  ['cloud metadata', '169.254.169.254'],
  ['the host agent of Azure', '168.63.129.16'],
  ['the host agent of Azure, IPv4-mapped', '::ffff:168.63.129.16'],
  ['protocol assignments', '192.0.0.170'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible in hexadecimal', '::7f00:1'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped in hexadecimal', '::ffff:a9fe:a9fe'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of a private network', '64:ff9b:1::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1'],
  ['benchmarking', '2001:2::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['6to4 of loopback', '2002:7f00:1::1'],
  ['documentation', '3fff::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fd12:3456::1'],
  ['unique local, cloud metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['not given out', '4000::1'],
];

test.each(SPECIAL)('refuses %s: %s', (_block, address) => {
  expect(new DestinationPolicy().refusedKind('host.example', address)).toEqual(expect.any(String));
});

test.each([
  '93.184.216.34',
  '172.32.0.1',
  '168.63.129.15',
  '168.63.129.17',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:93.184.216.34',
])('permits the public address %s', (address) => {
  expect(new DestinationPolicy().refusedKind('host.example', address)).toBeUndefined();
});

test('names the kind of a rejected address', () => {
  const policy = new DestinationPolicy();
  expect(policy.refusedKind('host.example', '::ffff:10.0.0.1')).toBe('private');
  expect(policy.refusedKind('host.example', 'fe80::1')).toBe('link-local');
  expect(policy.refusedKind('host.example', '::a00:1')).toBe('reserved');
});

test('permits addresses in an allowed block, in either family, and no others', () => {
  const policy = new DestinationPolicy(['10.1.0.0/16', 'fd00:1::/32', '192.168.7.7']);
  expect(policy.refusedKind('host.example', '10.1.255.255')).toBeUndefined();
  expect(policy.refusedKind('host.example', '::ffff:10.1.0.1')).toBeUndefined();
  expect(policy.refusedKind('host.example', 'fd00:1::5')).toBeUndefined();
  expect(policy.refusedKind('host.example', '192.168.7.7')).toBeUndefined();
  expect(policy.refusedKind('host.example', '10.2.0.1')).toBe('private');
  expect(policy.refusedKind('host.example', '192.168.7.8')).toBe('private');
  expect(policy.refusedKind('host.example', 'fd00:2::5')).toBe('unique local');
});

test('permits an allowed name at any address, but no other name', () => {
  const policy = new DestinationPolicy(['Portal.internal.']);
  expect(policy.refusedKind('portal.INTERNAL', '10.0.0.1')).toBeUndefined();
  expect(policy.refusedKind('portal.internal.', '10.0.0.1')).toBeUndefined();
  expect(policy.refusedKind('a.portal.internal', '10.0.0.1')).toBe('private');
  expect(policy.refusedKind('portal.internal.example', '10.0.0.1')).toBe('private');
});

test.each([
  '10.0.0.0/33',
  '10.0.0',
  '10.0.0.256',
  'https://portal',
  'portal:80',
  '*.internal',
  'fd00::/129',
  '0x7f.1',
])('has no use for the entry %s', (entry) => {
  expect(() => new DestinationPolicy([entry])).toThrow(RangeError);
});
