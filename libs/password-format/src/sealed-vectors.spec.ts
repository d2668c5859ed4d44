import { createPrivateKey, diffieHellman, generateKeyPairSync, hash, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { boundPlace, decryptPassword, isSealed, keyIdsOf } from './decrypt-password.js';
import { encryptPassword, kidsOf } from './encrypt-password.js';
import { parseKeyFile, parseRecipients } from './parse-key.js';
import { toJwkText } from './parse-jwk.js';
import { DecryptionError } from './password-errors.js';
import { PasswordKey } from './password-key.js';
import { KeyPair } from './sealing-keys.js';

interface Vector {
  readonly name: string;
  readonly private_jwk: JsonWebKey;
  readonly for?: string;
  readonly encrypted: string;
}
interface ValidVector extends Vector {
  readonly made_by: string;
  readonly kid: string;
  readonly password: string;
}

const read = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`../test-vectors/${name}.json`, import.meta.url), 'utf8')) as T[];
const pairOf = ({ private_jwk }: Vector) =>
  new KeyPair(createPrivateKey({ key: private_jwk, format: 'jwk' }));
const newPair = (): KeyPair => KeyPair.generate('P-256');

describe.each(read<ValidVector>('sealed'))('vector of $made_by: $name', (vector) => {
  const pair = pairOf(vector);

  test('decrypts, at its place', async () => {
    expect(await decryptPassword(vector.encrypted, [pair])).toBe(vector.password);
    expect(await decryptPassword(vector.encrypted, [pair], { place: vector.for })).toBe(vector.password);
    expect([isSealed(vector.encrypted), boundPlace(vector.encrypted)]).toEqual([true, vector.for]);
    expect(keyIdsOf(vector.encrypted)).toContain(vector.kid);
  });

  test('its key has the same id here', () => {
    expect(pair.kid).toBe(vector.kid);
  });
});

test.each(read<Vector & { code: string }>('refused-sealed'))('rejected as $code: $name', async (vector) => {
  const { encrypted, for: place, code } = vector;
  const error = await decryptPassword(encrypted, [pairOf(vector)], { place }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DecryptionError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(/^[^\n]{20,300}$/) as string });
});

test('a password sealed to several keys decrypts with each of them, and with no other', async () => {
  const pairs = [newPair(), newPair(), KeyPair.generate('X25519')] as const;
  const [first, ...others] = pairs.map(({ recipient }) => recipient);
  const sealed = await encryptPassword('hunter2', [first!, ...others], 'db.yaml/password');
  expect(keyIdsOf(sealed)).toEqual(kidsOf([first!, ...others]));
  expect(JSON.parse(sealed)).toHaveProperty('recipients.length', 3);
  for (const pair of pairs) expect(await decryptPassword(sealed, [newPair(), pair])).toBe('hunter2');
  const [other, symmetric] = [newPair(), new PasswordKey(Buffer.alloc(32, 'key'))];
  for (const key of [other, symmetric])
    await expect(decryptPassword(sealed, [key])).rejects.toMatchObject({ code: 'unknown_key' });
});

test('sealing needs the public key alone: its file holds nothing that decrypts', async () => {
  const pair = newPair();
  const [recipient] = parseRecipients(Buffer.from(toJwkText([pair.recipient])));
  expect(toJwkText([pair.recipient])).not.toMatch(/"d"/);
  const sealed = await encryptPassword('hunter2', [recipient]);
  expect(sealed.split('.')).toHaveLength(5);
  const [opened] = parseKeyFile(Buffer.from(toJwkText([pair])));
  expect(await decryptPassword(sealed, [opened])).toBe('hunter2');
});

test('keys of openssl are read in PEM', () => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const pem = {
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    public: publicKey.export({ type: 'spki', format: 'pem' }),
  };
  const [pair] = parseKeyFile(Buffer.from(pem.private));
  const [recipient] = parseRecipients(Buffer.from(pem.public));
  expect(pair.kid).toBe(recipient.kid);
  expect((pair as KeyPair).privateKey().equals(privateKey)).toBe(true);
});

test('the id of a key is its RFC 7638 thumbprint', () => {
  // RFC 7638 does not have an example of EC; this is section 3.2 by hand.
  const pair = newPair();
  const { x, y } = pair.recipient.key.export({ format: 'jwk' });
  expect(pair.kid).toBe(hash('sha256', `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`, 'base64url'));
});

test.each([
  [
    'a private key as a recipient',
    () => parseRecipients(Buffer.from(toJwkText([newPair()]))),
    /is not public/,
  ],
  [
    'a symmetric key as a recipient',
    () => parseRecipients(Buffer.from(`{"kty":"oct","k":"${'A'.repeat(43)}"}`)),
    /is not public/,
  ],
  ['text as a recipient', () => parseRecipients(Buffer.from('hunter2')), /^not a public key as JWK/],
  [
    'a public key to decrypt with',
    () => parseKeyFile(Buffer.from(toJwkText([newPair().recipient]))),
    /is public, so it cannot decrypt/,
  ],
  [
    'another curve',
    () =>
      parseKeyFile(
        Buffer.from(
          generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
            type: 'pkcs8',
            format: 'pem',
          }),
        ),
      ),
    /curve P-256 or X25519/,
  ],
  [
    'a key of RSA',
    () =>
      parseRecipients(
        Buffer.from(
          generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
            type: 'spki',
            format: 'pem',
          }),
        ),
      ),
    /curve P-256 or X25519/,
  ],
  [
    'a broken JWK',
    () => parseKeyFile(Buffer.from('{"kty":"EC","crv":"P-256","x":"hunter2","y":"hunter2","d":"hunter2"}')),
    /^the JWK is not a valid key of an elliptic curve$/,
  ],
  [
    'a broken PEM',
    () => parseKeyFile(Buffer.from('-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n')),
    /^the key in PEM is not a valid key/,
  ],
])('rejected, without the key in the message: %s', (_case, parse, message) => {
  let error: unknown;
  try {
    parse();
  } catch (reason) {
    error = reason;
  }
  expect(error).toMatchObject({ name: 'InvalidKeyError', message: expect.stringMatching(message) as string });
  expect(inspect(error)).not.toContain('hunter2');
});

test('neither printing a pair nor its JSON shows the private key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { d } = privateKey.export({ format: 'jwk' });
  const pair = new KeyPair(privateKey);
  expect(inspect(pair, { depth: 9, showHidden: true }) + JSON.stringify(pair)).not.toContain(d);
});

test.each(['', 'a\nb', 'x'.repeat(513)])('a place such as %j is rejected', async (place) => {
  await expect(encryptPassword('x', newPair(), place)).rejects.toMatchObject({ code: 'invalid_place' });
});

test('our output decrypts by RFC 7518 section 4.6, without jose', async () => {
  const pair = newPair();
  const sealed = await encryptPassword('hunter2', pair);
  expect(await openByHand(sealed, pair)).toBe('hunter2');
});

/** ECDH, the Concat KDF, AES key unwrap and AES-GCM of WebCrypto. */
async function openByHand(sealed: string, pair: KeyPair): Promise<string> {
  const [header = '', ...parts] = sealed.split('.');
  const [wrapped, iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  const { epk, alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as {
    epk: JsonWebKey;
    alg: string;
  };
  const { createPublicKey } = await import('node:crypto');
  const secret = diffieHellman({
    privateKey: pair.privateKey(),
    publicKey: createPublicKey({ key: epk, format: 'jwk' }),
  });
  const number = (value: number) => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
  const info = Buffer.concat([number(alg.length), Buffer.from(alg), number(0), number(0), number(256)]);
  const digest = hash('sha256', Buffer.concat([number(1), secret, info]), 'buffer');
  const kek = await crypto.subtle.importKey('raw', digest, 'AES-KW', false, ['unwrapKey']);
  const cek = await crypto.subtle.unwrapKey('raw', wrapped!, kek, 'AES-KW', 'AES-GCM', false, ['decrypt']);
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: iv!, additionalData: Buffer.from(header) },
    cek,
    Buffer.concat([ciphertext!, tag!]),
  );
  return Buffer.from(plain).toString();
}
