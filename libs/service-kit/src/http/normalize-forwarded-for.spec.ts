import { addressesIn } from './normalize-forwarded-for.js';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['[2001:db8::7]:50123', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['192.0.2.7:1, [2001:db8::7]:2 ,192.0.2.9', '192.0.2.7, 2001:db8::7, 192.0.2.9'],
  [' , 192.0.2.7,', '192.0.2.7'],
  ['', ''],
])('the addresses in %j are %j', (forwardedFor, addresses) => {
  expect(addressesIn(forwardedFor)).toBe(addresses);
});

test.each([
  'unknown',
  'caller-1',
  '_hidden',
  '192.0.2.7:https',
  '192.0.2.7:123456',
  '2001:db8::7:50123:1:2:3:4:5',
  '[2001:db8::7]50123',
  '127.1',
])('%s is not an address, and thus unknown', (entry) => {
  expect(addressesIn(`192.0.2.1, ${entry}, 192.0.2.9`)).toBe('192.0.2.1, unknown, 192.0.2.9');
});
