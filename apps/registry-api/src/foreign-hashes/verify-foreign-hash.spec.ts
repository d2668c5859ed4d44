import { parseForeignHash } from './parse-foreign-hash.js';
import { verifyForeignHash } from './verify-foreign-hash.js';

const SECRET = 'correct horse battery staple 42';

/** Made with Python 3.11: libxcrypt (crypt), OpenSSL (hashlib), and argon2id of cryptography. */
const HASHES = [
  ['bcrypt', '$2b$04$abcdefghijklmnopqrstuunP647anY6lkP4mZ7Gh/U3rYsT0KNmjq'],
  ['bcrypt', '$2y$10$abcdefghijklmnopqrstuuFRL4HsHTBtkdzvD8.3.3nTl.ZcTcgo2'],
  ['bcrypt', 'bcrypt$$2b$04$abcdefghijklmnopqrstuunP647anY6lkP4mZ7Gh/U3rYsT0KNmjq'],
  ['bcrypt', 'bcrypt_sha256$$2b$04$abcdefghijklmnopqrstuuraDPeNJFbHIZ3mcVhHCYAo35X3tnSt2'],
  [
    'pbkdf2',
    '$pbkdf2-sha256$i=25000,l=32$AAECAwQFBgcICQoLDA0ODw$NQOSwqqx2oknVaYq7HNsTiSRHndSd8QjKtWpLxBxnRI',
  ],
  [
    'pbkdf2',
    '$pbkdf2-sha512$i=25000,l=64$AAECAwQFBgcICQoLDA0ODw$vozuiRDLtlrIPs+O2S8Rz9Bv6d976GYoQRsHjKWZNZ24I9YBhU/Fjv8DWreWKtoD4A4DDihVw5xbdfZCnlA6MQ',
  ],
  ['pbkdf2', 'pbkdf2_sha256$1000$V1kFhO4pYyU9wnzQmJbXdA$5QpGcnPi6r1F9hBmMoABSS+57oomdl+F0BgPVKJTNV0='],
  ['pbkdf2', '$pbkdf2-sha256$29000$..................../w$Ccvprc4YextK9zGiHpLOyA5M1tlwWQKpQK5ATGA5V30'],
  [
    'pbkdf2',
    'pbkdf2:sha256:1000$abcdefghijklmnop$67e02d9e1d504e09e5e78c27349637538e7cbb493b6bdb8ff11eedb427bb0436',
  ],
  ['scrypt', '$scrypt$ln=14,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$PiKeYO+Tf+oGBbt+BRGXIYl6ohMCXKRhhPSN6UK2kwM'],
  [
    'scrypt',
    'scrypt$16384$V1kFhO4pYyU9wnzQmJbXdA$8$1$iBHxO9VhASDjiLEzl99Y8FEj2T248yRAQvZfRw0mCgs2T1NrpKBU3Rhs+zGIIQ024JTqTeD+TrnM6QIUNahcqw==',
  ],
  [
    'scrypt',
    'scrypt:16384:8:1$abcdefghijklmnop$6e915d1aeaf420466dd899b5904daf392832bd8e5076b819cd684bb6f7bb69e350426017ea889344e70cf7f9fcd8384b0188aaccef16cecb5b5c4890094690f5',
  ],
  ['sha256', '{SSHA256}YO5zDVrlaleLYhW9AMW1HIAp5neDz+8VUf1mb940VbwAAQIDBAUGBwgJCgsMDQ4P'],
  [
    'sha512',
    '{SSHA512}Ob2LOdk+Bie7Dr8Po80i+8r75/obPbaaOZ7qEaYr7URquorPTO3UNVvsoRlgKYbdEQHonLgPYT6q+JL/xUH3SQABAgMEBQYHCAkKCwwNDg8=',
  ],
  ['sha256', '{SHA256}TaMMN+4OzANp7mJnny94zTGHysuNeQ6Jk3ElfJZKkL0='],
  ['sha256', '4da30c37ee0ecc0369ee62679f2f78cd3187cacb8d790e899371257c964a90bd'],
  ['sha512', 'T07uDcW5cMr3CSQUyhrAe7aIYXyedchkHSIhaGiuy7hQW5cVPUXSEGsOcGbUAxShdNDATiGs4/nMUWtQM+EwRw=='],
  [
    'argon2id',
    '$argon2id$v=19$m=1024,t=2,p=2$AAECAwQFBgcICQoLDA0ODw$qZBLEvai6pSYBcnS76dzwPZUfuHZ68vMeAVdy+8XR3E',
  ],
  [
    'argon2id',
    'argon2$argon2id$v=19$m=65536,t=3,p=4$AAECAwQFBgcICQoLDA0ODw$Bjh2hcII91ueG/i9JWHNeNaydStxVElkZ8deSgnHC5U',
  ],
] as const;

test.each(HASHES)('%s that another program made matches its secret alone: %s', async (scheme, hash) => {
  expect(parseForeignHash(hash).scheme).toBe(scheme);
  expect(await verifyForeignHash(SECRET, hash)).toBe(true);
  for (const wrong of [`${SECRET} `, SECRET.slice(1), '', 'ü', `${SECRET}\0`, 'x'.repeat(1_024)]) {
    expect([wrong, await verifyForeignHash(wrong, hash)]).toEqual([wrong, false]);
  }
});

test('bcrypt reads the first 72 bytes of a secret, as elsewhere', async () => {
  // libxcrypt's hash of 80 times x.
  const hash = '$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i';
  expect(await verifyForeignHash('x'.repeat(80), hash)).toBe(true);
  expect(await verifyForeignHash('x'.repeat(71), hash)).toBe(false);
});
