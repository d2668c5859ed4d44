import { cookieNameOf, hintOf, newClientId, newClientSecret } from './credentials.js';

test('a client_id has 128 random bits, a secret 256, both in base64url', () => {
  expect(newClientId()).toMatch(/^[\w-]{22}$/);
  expect(newClientSecret()).toMatch(/^[\w-]{43}$/);
  expect(newClientSecret()).not.toBe(newClientSecret());
});

test('a cookie name is derived from any client_id, and is always a cookie token', () => {
  // printf 'shop' | sha256sum | cut -c1-20 | xxd -r -p | base32
  expect(cookieNameOf('SvcClient', 'shop')).toBe('SvcClient_RWIADUZMNJYD3FMS');
  expect(cookieNameOf('SvcClient', 'a;b c="d"/%')).toMatch(/^SvcClient_[A-Z2-7]{16}$/);
});

test('a hint is the last 4 characters', () => {
  expect(hintOf('abcdefgh')).toBe('efgh');
});
