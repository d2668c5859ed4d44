import { TokenLimit } from './limit-rates.js';

test('callers without a token, however many, do not renew the rate of a token', () => {
  const limit = new TokenLimit({ count: 1, perMs: 3_600_000 });
  limit.take('token');
  // More than a limiter remembers.
  for (let at = 0; at < 20_000; at += 1) limit.takeAnonymous(`10.0.${at >> 8}.${at & 255}`);
  expect(() => limit.take('token')).toThrow('Too many requests from this token');
});
