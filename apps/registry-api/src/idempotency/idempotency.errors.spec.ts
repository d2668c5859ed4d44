import {
  IdempotencyKeyReusedError,
  IdempotentClientGoneError,
  InvalidIdempotencyKeyError,
} from './idempotency.errors.js';

test.each([
  ['the Idempotency-Key must be 1 to 255 visible ASCII characters', new InvalidIdempotencyKeyError()],
  [
    'this Idempotency-Key was sent with another body before; make a new key for each registration',
    new IdempotencyKeyReusedError(),
  ],
  [
    "this Idempotency-Key registered the client 'shop', which was deleted since",
    new IdempotentClientGoneError('shop'),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
