import { bodyFingerprint, idempotencyKeyReused, invalidIdempotencyKey } from './idempotency-keys.js';

test.each([
  ['the Idempotency-Key must be 1 to 255 visible ASCII characters', invalidIdempotencyKey()],
  [
    'this Idempotency-Key was already used for a different request; use a new key for each request',
    idempotencyKeyReused(),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});

const of = (body: unknown) => bodyFingerprint(body).toString('hex');

test('the order of members does not matter, at any depth', () => {
  expect(of({ a: 1, b: { c: [{ d: 1, e: 2 }], f: 3 } })).toBe(of({ b: { f: 3, c: [{ e: 2, d: 1 }] }, a: 1 }));
});

test.each<[unknown, unknown]>([
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: 'b' }, { ab: '' }],
  [{}, null],
  [undefined, null],
  [{ a: { b: 1 } }, { a: 1, b: 1 }],
])('%j and %j differ', (one, other) => {
  expect(of(one)).not.toBe(of(other));
});
