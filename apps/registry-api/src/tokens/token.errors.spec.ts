import { ScopeNotHeldError, TokenNotFoundError, TooManyTokensError } from './token.errors.js';

test.each([
  [
    'cannot grant scopes you do not hold: clients:write, tokens:write',
    new ScopeNotHeldError(['clients:write', 'tokens:write']),
  ],
  ['there is no API token with this id', new TokenNotFoundError()],
  ['there are 1000 API tokens already; revoke those that are not used', new TooManyTokensError(1000)],
])('%s', (message, error) => {
  expect(error.message).toBe(message);
});
