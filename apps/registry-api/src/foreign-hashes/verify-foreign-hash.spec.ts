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
  ['sha256_crypt', '$5$abcdefghijklmnop$vNxe1s0lb4uXZnEhGRoYFPuVsmOWcC3mEuIV4.64Ex6'],
  ['sha256_crypt', '$5$rounds=1000$ab$eaRd3yhk4sgP/sMOwA0YLMyTWhzBAwUF/MA42uBbsO3'],
  [
    'sha512_crypt',
    '$6$abcdefghijklmnop$jbzStmrNu1VnacQ4C5dAoX3o5rQ73yBaSpKT9fPrFY4Sa7.Y6nm2qU2DR0Qk/pw2lrLVjVr4vz.nIKcgmjn3b/',
  ],
  [
    'sha512_crypt',
    '$6$rounds=12345$saltstringtoolon$SCFQUnoEAriE4IgyM6CRU4tLJaRet48HDPYq3RHkFriloXW9SMt8mXcFdKxal8wWC0KZL8ndlqC6Tc7nnnVYT/',
  ],
  // As OpenIddict stores it, and ASP.NET Core Identity since .NET 7.
  ['pbkdf2', 'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg9pJB3X2jju+6FGjBBCIjwAvmQDJJDE6rR97Css8bjzhg=='],
  ['pbkdf2', 'AQAAAAIAAYagAAAAEAABAgMEBQYHCAkKCwwNDg9DhlLzpmz99y2xzO7FJH0znPH7t8jBzIpq57xg/8cS5g=='],
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

/** libxcrypt's hashes of secrets that end within, at and after a block of the function. */
test.each([
  ['x', 1, '$5$rounds=1000$yyyyyyyyyyyyyyyy$3lqdcnK7fftZAhE82A5SAT9Z8WvooMUjSCx9IzU2Lc1'],
  ['x', 64, '$5$rounds=1000$yyyyyyyyyyyyyyyy$.f1vE3mM5J/DB5yo5nayS7VPioPN7fFdHeigcUKTPhC'],
  ['x', 200, '$5$rounds=1000$yyyyyyyyyyyyyyyy$V2fhmLzesbpnJZaYHnIbFl1Hz9Q0PFnvyV/arZqjwV7'],
  [
    'é',
    63,
    '$6$rounds=1000$x$qcPOCLrJqKG1MWBfoLhsqHro.J8JQtKJkxBzsxl69D4P/gytDeaP36QbrVvSA1BpVDLA.HPnW3xcTLMajCbpZ/',
  ],
  [
    'é',
    64,
    '$6$rounds=1000$x$cEeoN3eWXciqX4zFwR3llcjgHWVYsw1KZiKbO5QO8S8Aj.KamHLtpUqCZHyFkeqZqWecmFhyzz7MQ4tgC5rR5/',
  ],
])('SHA-crypt of %s, %i times', async (character, times, hash) => {
  expect(await verifyForeignHash(character.repeat(times), hash)).toBe(true);
  expect(await verifyForeignHash(character.repeat(times + 1), hash)).toBe(false);
});
