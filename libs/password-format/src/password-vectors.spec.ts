import { createDecipheriv, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decryptPassword } from './decrypt-password.js';
import { encryptPassword } from './encrypt-password.js';
import { DecryptionError } from './password-errors.js';
import { PasswordKey } from './password-key.js';

interface Vector {
  readonly name: string;
  readonly key_hex: string;
  readonly encrypted: string;
}
interface ValidVector extends Vector {
  readonly kid: string;
  readonly header: string;
  readonly password: string;
}
interface RefusedVector extends Vector {
  readonly code: DecryptionError['code'];
  readonly for?: string;
}

const read = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`../test-vectors/${name}.json`, import.meta.url), 'utf8')) as T[];
const keyOf = ({ key_hex }: Vector) => new PasswordKey(Buffer.from(key_hex, 'hex'));

describe.each(read<ValidVector>('valid'))('vector: $name', (vector) => {
  test('decrypts', async () => {
    expect(await decryptPassword(vector.encrypted, [keyOf(vector)])).toBe(vector.password);
  });

  test('has the key id and header written by encryption', async () => {
    const encrypted = await encryptPassword(vector.password, keyOf(vector));
    expect(keyOf(vector).kid).toBe(vector.kid);
    expect(Buffer.from(encrypted.split('.')[0]!, 'base64url').toString()).toBe(vector.header);
  });

  test('our output decrypts with plain AES-GCM by RFC 7516', async () => {
    const encrypted = await encryptPassword(vector.password, keyOf(vector));
    expect(decryptByHand(encrypted, Buffer.from(vector.key_hex, 'hex'))).toBe(vector.password);
  });
});

test.each(read<RefusedVector>('refused'))('rejected as $code: $name', async (vector) => {
  const { encrypted, for: place } = vector;
  const error = await decryptPassword(encrypted, [keyOf(vector)], { place }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DecryptionError);
  expect((error as DecryptionError).code).toBe(vector.code);
});

test('the key id is the first 8 bytes of an HMAC under the key', () => {
  const key = Buffer.alloc(32, 7);
  const mac = createHmac('sha256', key).update('encpwd kid').digest();
  expect(new PasswordKey(key).kid).toBe(mac.subarray(0, 8).toString('base64url'));
});

/** Implements RFC 7516 section 5.2 without our code or jose. */
function decryptByHand(encrypted: string, key: Buffer): string {
  const [header = '', encryptedKey, iv = '', ciphertext = '', tag = ''] = encrypted.split('.');
  expect(encryptedKey).toBe('');
  const decipher = createDecipheriv(
    `aes-${key.length * 8}-gcm` as 'aes-256-gcm',
    key,
    Buffer.from(iv, 'base64url'),
  );
  decipher.setAAD(Buffer.from(header, 'ascii')).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()]).toString(
    'utf8',
  );
}
