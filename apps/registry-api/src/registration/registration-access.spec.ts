import { hashRegistrationToken, isRegistrationToken, newRegistrationToken } from './registration-access.js';

test('a token is recognised by its hash, and no other is', () => {
  const token = newRegistrationToken();
  const stored = hashRegistrationToken(token);
  expect(token).toMatch(/^svcreg_[\w-]{43}$/);
  expect(isRegistrationToken(token, stored)).toBe(true);
  expect(isRegistrationToken(newRegistrationToken(), stored)).toBe(false);
  expect(isRegistrationToken('', stored)).toBe(false);
});
