import { idempotencyKeyReused, invalidIdempotencyKey } from './idempotency-keys.js';

test.each([
  ['the Idempotency-Key must be 1 to 255 visible ASCII characters', invalidIdempotencyKey()],
  [
    'this Idempotency-Key was already used for a different request; use a new key for each request',
    idempotencyKeyReused(),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
