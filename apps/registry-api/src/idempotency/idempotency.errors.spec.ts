import {
  IdempotencyKeyReusedError,
  IdempotentClientGoneError,
  InvalidIdempotencyKeyError,
} from './idempotency.errors.js';

test.each([
  ['the Idempotency-Key must be 1 to 255 visible ASCII characters', new InvalidIdempotencyKeyError()],
  [
    'this Idempotency-Key was sent with another request before; make a new key for each request',
    new IdempotencyKeyReusedError(),
  ],
  [
    "this Idempotency-Key was used for the client 'shop', which was deleted since",
    new IdempotentClientGoneError('shop'),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
