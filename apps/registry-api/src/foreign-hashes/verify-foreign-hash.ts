import { hash as digestOf, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { argon2id, bcryptVerify } from 'hash-wasm';
import { parseForeignHash } from './parse-foreign-hash.js';
import { shaCrypt } from './sha-crypt.js';

/** Bytes that bcrypt reads of a secret; the product that the hash comes from ignored the rest, too. */
const BCRYPT_BYTES = 72;

/** scrypt's own memory, besides what its parameters ask for. */
const SCRYPT_SPARE_BYTES = 1024 * 1024;

/**
 * Whether a secret matches a hash. It may block for seconds, so it must not run in the main thread.
 *
 * @throws {ForeignHashError}
 */
export async function verifyForeignHash(secret: string, text: string): Promise<boolean> {
  const hash = parseForeignHash(text);
  // No secret contains NUL (RFC 6749 appendix A.2): bcrypt stops reading at it, and HMAC pads keys with it.
  if (secret === '' || secret.includes('\0')) return false;
  switch (hash.scheme) {
    case 'bcrypt': {
      const input = Buffer.from(hash.isOfDigest ? digestOf('sha256', secret) : secret);
      return bcryptVerify({ password: input.subarray(0, BCRYPT_BYTES), hash: hash.encoded });
    }
    case 'argon2id': {
      const { memoryKib: memorySize, passes: iterations, lanes: parallelism, salt, digest } = hash;
      const cost = { memorySize, iterations, parallelism, hashLength: digest.length };
      const made = await argon2id({ password: secret, salt, ...cost, outputType: 'binary' });
      return timingSafeEqual(made, digest);
    }
    case 'pbkdf2': {
      const { algorithm, iterations, salt, digest } = hash;
      return timingSafeEqual(pbkdf2Sync(secret, salt, iterations, digest.length, algorithm), digest);
    }
    case 'scrypt': {
      const { cost, blockSize, lanes: parallelization, salt, digest } = hash;
      const maxmem = 128 * blockSize * (cost + parallelization) + SCRYPT_SPARE_BYTES;
      const options = { cost, blockSize, parallelization, maxmem };
      return timingSafeEqual(scryptSync(secret, salt, digest.length, options), digest);
    }
    case 'sha256_crypt':
    case 'sha512_crypt':
      return timingSafeEqual(Buffer.from(shaCrypt(secret, hash)), Buffer.from(hash.encoded));
    case 'sha256':
    case 'sha512': {
      const input = Buffer.concat([Buffer.from(secret), hash.salt]);
      return timingSafeEqual(digestOf(hash.scheme, input, 'buffer'), hash.digest);
    }
  }
}
