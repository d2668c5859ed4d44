import { areWithin, isNetwork, networkMatcher } from './networks.js';

test.each([
  ['10.0.0.0/8', true],
  ['2001:db8::/32', true],
  ['192.0.2.7', true],
  ['10.0.0.0/33', false],
  ['2001:db8::/129', false],
  ['fe80::1%eth0', false],
  ['example.com', false],
  ['', false],
  [7, false],
])('%s is a network: %s', (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
});

test('an address is matched against each network, IPv4 also in IPv6 notation', () => {
  const isIn = networkMatcher(['10.1.0.0/16', '2001:db8::/32', '192.0.2.7']);
  const addresses = ['10.1.255.255', '10.2.0.0', '2001:db8::1', '::1', '192.0.2.7', '::ffff:10.1.0.1', 'x'];
  expect(addresses.map(isIn)).toEqual([true, false, true, false, true, true, false]);
  expect(networkMatcher([])('10.1.0.1')).toBe(false);
});

test('networks are within others if all of their addresses are', () => {
  expect(areWithin(['10.1.2.0/24', '10.1.0.1'], ['10.1.0.0/16'])).toBe(true);
  expect(areWithin(['10.0.0.0/8'], ['10.1.0.0/16'])).toBe(false);
  expect(areWithin(['::/0'], ['0.0.0.0/0'])).toBe(false);
  expect(areWithin(['10.1.2.0/24', '10.9.0.1'], ['10.1.0.0/16'])).toBe(false);
});
