import fc from 'fast-check';
import { parseRate, RateLimiter } from './rate-limiter.js';

/** How many of `asked` requests pass at one moment. */
function passing(limiter: RateLimiter, caller: string, asked: number, nowMs: number): number {
  return Array.from({ length: asked }, () => limiter.take(caller, nowMs)).filter((wait) => wait === 0).length;
}

test('a burst up to the count is allowed, and the next request gets the time to wait', () => {
  const limiter = new RateLimiter({ count: 10, perMs: 1_000 });
  expect(passing(limiter, 'a', 50, 5_000)).toBe(10);
  expect(limiter.take('a', 5_000)).toBeCloseTo(100);
  expect(limiter.take('a', 5_099)).toBeGreaterThan(0);
  expect(limiter.take('a', 5_101)).toBe(0);
});

test('each caller has its own rate', () => {
  const limiter = new RateLimiter({ count: 1, perMs: 1_000 });
  expect(limiter.take('a', 0)).toBe(0);
  expect(limiter.take('b', 0)).toBe(0);
  expect(limiter.take('a', 0)).toBeGreaterThan(0);
});

test('at most one period accumulates', () => {
  const limiter = new RateLimiter({ count: 10, perMs: 1_000 });
  passing(limiter, 'a', 3, 0);
  expect(passing(limiter, 'a', 50, 3_600_000)).toBe(10);
});

test('in any interval, at most one burst and what the interval allows is admitted', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), gaps, (count, waits) => {
      const limiter = new RateLimiter({ count, perMs: 1_000 });
      let now = 1_000;
      let passed = 0;
      for (const wait of waits) {
        now += wait;
        if (limiter.take('a', now) === 0) passed += 1;
      }
      expect(passed).toBeLessThanOrEqual(count + ((now - 1_000) * count) / 1_000 + 1e-3);
    }),
  );
});

test('a caller within its rate is never rejected', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), (count) => {
      const limiter = new RateLimiter({ count, perMs: 1_000 });
      const waits = Array.from({ length: 3 * count }, (_, index) =>
        limiter.take('a', 1e9 + Math.ceil((index * 1_000) / count)),
      );
      expect(waits.filter((wait) => wait !== 0)).toEqual([]);
    }),
  );
});

test('memory is bounded: the least recently active caller is forgotten', () => {
  const limiter = new RateLimiter({ count: 1, perMs: 3_600_000 });
  limiter.take('silent', 0);
  limiter.take('busy', 0);
  for (let index = 0; index < 9_999; index += 1) limiter.take(`other ${index}`, 1);
  expect(limiter.take('busy', 2)).toBeGreaterThan(0);
  expect(limiter.take('silent', 2)).toBe(0);
});

test.each([
  ['100/s', { count: 100, perMs: 1_000 }],
  ['600/m', { count: 600, perMs: 60_000 }],
  ['5/h', { count: 5, perMs: 3_600_000 }],
  ['off', null],
])('%s is a rate', (text, rate) => {
  expect(parseRate(text)).toEqual(rate);
});

test.each(['', '0/s', '-1/s', '1.5/s', '100', '100/d', '100 /s', '1e3/s', 'OFF', '9999999999/s'])(
  '"%s" is none',
  (text) => {
    expect(() => parseRate(text)).toThrow('must be a rate such as 100/s, 600/m or 1000/h, or off');
  },
);
