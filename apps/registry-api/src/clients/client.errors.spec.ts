import {
  ClientChangedError,
  ClientExistsError,
  ClientNotFoundError,
  InvalidCursorError,
} from './client.errors.js';

test.each([
  ["there is no client 'U+202Eabc'", new ClientNotFoundError('\u202eabc')],
  ["there is no client 'a b'", new ClientNotFoundError('a b')],
  ["a client 'shop' is registered already", new ClientExistsError('shop')],
  ["the client 'shop' was changed meanwhile; read it again", new ClientChangedError('shop')],
  ['the cursor is not one that this list has given; begin without one', new InvalidCursorError()],
  [
    'the cursor is of another sort or filter than asked for; begin without one',
    new InvalidCursorError('of another sort or filter'),
  ],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
