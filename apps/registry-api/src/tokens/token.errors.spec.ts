import { scopeNotHeld, tokenNotFound, tooManyTokens } from './token.errors.js';

test.each([
  [
    'cannot grant scopes you do not hold: clients:write, tokens:write',
    scopeNotHeld(['clients:write', 'tokens:write']),
  ],
  ['there is no API token with this id', tokenNotFound()],
  ['there are 1000 API tokens already; revoke those that are not used', tooManyTokens(1000)],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
