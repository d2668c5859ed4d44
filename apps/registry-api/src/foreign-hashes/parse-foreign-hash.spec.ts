import { ForeignHashError, parseForeignHash } from './parse-foreign-hash.js';

const REST = 'AAECAwQFBgcICQoLDA0ODw$NQOSwqqx2oknVaYq7HNsTiSRHndSd8QjKtWpLxBxnRI';

test.each([
  [
    '$2b$14$abcdefghijklmnopqrstuunP647anY6lkP4mZ7Gh/U3rYsT0KNmjq',
    'has the cost 14; it must be from 4 to 13',
  ],
  ['$2b$03$abcdefghijklmnopqrstuunP647anY6lkP4mZ7Gh/U3rYsT0KNmjq', 'has the cost 3'],
  [`$argon2id$v=19$m=131073,t=1,p=1$${REST}`, 'has the m 131073; it must be from 8 to 131072'],
  [`$argon2id$v=19$m=131072,t=9,p=1$${REST}`, 'has the t 9; it must be from 1 to 8'],
  [`$argon2id$v=19$m=8,t=999999999,p=1$${REST}`, 'has the t 999999999'],
  [`$argon2id$v=19$m=65536,t=1,p=17$${REST}`, 'has the p 17'],
  [`$argon2id$v=19$m=0,t=1,p=1$${REST}`, 'has the m 0'],
  [`$argon2id$v=19$m=64,t=1,p=1$AAEC$${REST.slice(-43)}`, 'has the salt 3 bytes; it must be from 8'],
  [`$argon2id$v=16$m=64,t=1,p=1$${REST}`, 'is not a hash in a known format'],
  [`$argon2i$v=19$m=64,t=1,p=1$${REST}`, 'is not a hash in a known format'],
  [`$pbkdf2-sha256$i=2000001$${REST}`, 'has the iterations 2000001; it must be from 1 to 2000000'],
  [`$pbkdf2-sha256$i=0$${REST}`, 'has the iterations 0'],
  [`$pbkdf2-sha1$i=1000$${REST}`, 'is not a hash in a known format'],
  [
    '$pbkdf2-sha256$i=1000$AAECAwQFBgc$AAECAwQFBgc',
    'has the digest 8 bytes; it must be from 16 to 128 bytes',
  ],
  [`$scrypt$ln=18,r=8,p=1$${REST}`, 'has the N × r × 128 262144 KiB'],
  [`$scrypt$ln=17,r=8,p=5$${REST}`, 'has the N × r × p × 128 655360 KiB'],
  [`$scrypt$ln=99,r=8,p=1$${REST}`, 'has the N × r × 128'],
  [`$scrypt$ln=14,r=65,p=1$${REST}`, 'has the r 65'],
  [`$scrypt$ln=14,r=0,p=1$${REST}`, 'has the r 0'],
  ['scrypt$16383$salt$8$1$AAECAwQFBgcICQoLDA0ODw==', 'has an N that is not a power of 2'],
  [`$5$rounds=999$salt$${'x'.repeat(43)}`, 'has the rounds 999; it must be from 1000 to 700000'],
  [`$6$rounds=700001$salt$${'x'.repeat(86)}`, 'has the rounds 700001'],
  [`$6$salt$${'x'.repeat(43)}`, 'has the digest 43 characters; it must be from 86'],
  [`$5$rounds=x$salt$${'x'.repeat(43)}`, 'is not a hash in a known format'],
  [`AQAAAAAAAAPoAAAAE${'A'.repeat(64)}==`, 'uses PBKDF2 with a hash function other than SHA-256 or SHA-512'],
  [`AQAAAAEAAAPoAAAAy${'A'.repeat(64)}==`, 'has the digest 0 bytes'],
  [`AQAAAAEALcbAAAAAE${'A'.repeat(64)}==`, 'has the iterations 3000000'],
  ['AQAAAAEA', 'has the payload 6 bytes; it must be from 13'],
  ['{SSHA512}AAECAwQFBgcICQoLDA0ODw==', 'has the digest 16 bytes'],
  ['$1$salt$qJH7.N4xYta3aEG/dfqo/0', 'is not a hash in a known format'],
  ['5f4dcc3b5aa765d61d8327deb882cf99', 'is not a hash in a known format'],
  ['', 'is not a hash in a known format'],
  ['x'.repeat(1_025), 'is longer than 1024 characters'],
])('%s is refused, by a message without it', (hash, reason) => {
  let message = '';
  try {
    parseForeignHash(hash);
  } catch (error) {
    if (!(error instanceof ForeignHashError)) throw error;
    ({ message } = error);
  }
  expect(message).toContain(reason);
  expect(hash === '' || !message.includes(hash.slice(-8))).toBe(true);
});
