import {
  clientChanged,
  clientExists,
  clientNotFound,
  idempotentClientGone,
  invalidCursor,
} from './client.errors.js';

test.each([
  ["there is no client 'U+202Eabc'", clientNotFound('\u202eabc')],
  ["there is no client 'a b'", clientNotFound('a b')],
  ["a client 'shop' is already registered", clientExists('shop')],
  ["the client 'shop' has changed in the meantime; read it again", clientChanged('shop')],
  [
    "this Idempotency-Key was used for the client 'shop', which has since been deleted",
    idempotentClientGone('shop'),
  ],
  ['the cursor was not issued by this list; start without one', invalidCursor()],
  [
    'the cursor belongs to a different sort or filter; start without one',
    invalidCursor('belongs to a different sort or filter'),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
