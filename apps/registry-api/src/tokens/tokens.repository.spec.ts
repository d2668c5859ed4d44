import { newTokenValue } from './tokens.repository.js';

test.each([
  ['svcr_', false],
  ['svcrn_', true],
])(
  'the value of each new token is 256 bits of its own behind %s, all of them random',
  (prefix, isRestricted) => {
    const values = Array.from({ length: 2_000 }, () => newTokenValue(isRestricted));
    expect(new Set(values).size).toBe(values.length);
    const sums = Array.from({ length: 256 }, () => 0);
    for (const value of values) {
      expect(value.startsWith(prefix)).toBe(true);
      const random = Buffer.from(value.slice(prefix.length), 'base64url');
      expect(random).toHaveLength(32);
      sums.forEach((_, bit) => (sums[bit]! += (random[bit >> 3]! >> (bit & 7)) & 1));
    }
    // Nine standard deviations: 22 each.
    for (const sum of sums) expect(Math.abs(sum - 1_000)).toBeLessThan(200);
  },
);
