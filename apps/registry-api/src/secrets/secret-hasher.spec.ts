import { SecretHasher } from './secret-hasher.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];

test('a secret matches its own hash and no other', () => {
  const hasher = new SecretHasher([NEW]);
  const stored = hasher.hash('a secret');
  expect(hasher.matches('a secret', stored)).toBe(true);
  expect(hasher.matches('a secreT', stored)).toBe(false);
});

test('the hash is RFC 2104 with SHA-256 under the pepper', () => {
  expect(new SecretHasher(['Jefe']).hash('what do ya want for nothing?').hash.toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', // RFC 4231 section 4.3
  );
});

test('after a change of pepper old secrets match while the old one is kept', () => {
  const stored = new SecretHasher([OLD]).hash('a secret');
  expect(new SecretHasher([NEW, OLD]).matches('a secret', stored)).toBe(true);
  expect(new SecretHasher([NEW]).matches('a secret', stored)).toBe(false);
});

test('distinguishes hashes under the current, former and unknown peppers', () => {
  const [ofOld, ofNew] = [OLD, NEW].map((pepper) => new SecretHasher([pepper]).hash('x'));
  const both = new SecretHasher([NEW, OLD]);
  expect([ofNew, ofOld].map((stored) => stored && both.useOf(stored))).toEqual(['present', 'former']);
  expect(ofOld && new SecretHasher([NEW]).useOf(ofOld)).toBe('unknown');
  expect([both.hasFormer, new SecretHasher([NEW]).hasFormer]).toEqual([true, false]);
});

test('a pepper id distinguishes peppers, and is not part of them', () => {
  const ids = [OLD, NEW].map((pepper) => new SecretHasher([pepper]).hash('x').pepperId);
  expect(ids[0]).not.toBe(ids[1]);
  expect(ids.join()).not.toMatch(/o{3}|n{3}/);
});
