import { randomBytes, randomUUID } from 'node:crypto';
import { weaknessOf } from './weak-secret.js';

test.each([
  'secret',
  'password123',
  'correcthorse',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789012345678901234567890123456789',
  'Secret#42Secret#42Secret#42Secret#42Secret#42',
  'qwertyuiopqwertyuiopqwertyuiopqwertyuiop',
  'deadbeefdeadbeefdeadbeefdeadbeef',
])('%s is too easy to guess', (secret) => {
  expect(weaknessOf(secret)).toContain('too easy to guess');
});

test('what other products generate is strong enough, every time', () => {
  for (let round = 0; round < 2_000; round += 1) {
    for (const secret of [
      randomBytes(16).toString('base64url'),
      randomBytes(16).toString('hex'),
      randomBytes(32).toString('base64url'),
      randomUUID(),
    ]) {
      expect([secret, weaknessOf(secret)]).toEqual([secret, undefined]);
    }
  }
});

test.each(['', 'ü'.repeat(40), `${'k7Qp2zLw9vRt4xYb'.repeat(2)}\n`, randomBytes(192).toString('base64')])(
  'a secret that no Client can send is refused',
  (secret) => {
    expect(weaknessOf(secret)).toContain('printable ASCII');
  },
);
