import { signOutAddress } from './sign-out-address.js';

const oidc = { client_id: 'console' };

test.each([
  ['keeps the query', 'https://id.example/end?realm=a', 'https://id.example/end?realm=a&client_id=console'],
  ['is none where the issuer has none', undefined, undefined],
  ['is never a script', 'javascript:alert(1)', undefined],
])('the address of the page for signing out %s', (_case, end_session_endpoint, expected) => {
  expect(signOutAddress({ end_session_endpoint } as never, oidc)).toBe(expected);
});
