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
  ["a client 'shop' is registered already", clientExists('shop')],
  ["the client 'shop' was changed meanwhile; read it again", clientChanged('shop')],
  [
    "this Idempotency-Key was used for the client 'shop', which was deleted since",
    idempotentClientGone('shop'),
  ],
  ['the cursor is not one that this list has given; begin without one', invalidCursor()],
  [
    'the cursor is of another sort or filter than asked for; begin without one',
    invalidCursor('of another sort or filter'),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
