import { ipv4OfSixToFour } from './six-to-four.js';

test.each([
  ['2002:a01:203::1', '10.1.2.3'],
  ['2002:ffff:FFFF::', '255.255.255.255'],
  ['2002::1', '0.0.0.0'],
  ['2003:a01:203::1', undefined],
  ['10.1.2.3', undefined],
  ['2002:a01', undefined],
])('%s contains %p', (text, ipv4) => {
  expect(ipv4OfSixToFour(text)).toBe(ipv4);
});
