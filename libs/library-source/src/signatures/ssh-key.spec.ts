import { generateKeyPairSync, sign } from 'node:crypto';
import { readSshKey } from './ssh-key.js';
import { sshString } from './ssh-reader.js';

const bytes = (text = '') => Buffer.from(text, 'base64url');
const integer = (text = '') => sshString(Buffer.concat([Buffer.alloc(1), bytes(text)]));

test.each([
  [2_047, false],
  [2_048, true],
])('an RSA key of %i bits is accepted: %s', (modulusLength, isAccepted) => {
  const { e, n } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([sshString('ssh-rsa'), integer(e), integer(n)]);
  if (isAccepted) expect(readSshKey(blob).type).toBe('ssh-rsa');
  else expect(() => readSshKey(blob)).toThrow('RSA keys of less than 2048 bits are not accepted');
});

test('a signature must have the algorithm of its key, not that of a security key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  const key = readSshKey(Buffer.concat([sshString('ssh-ed25519'), sshString(bytes(x))]));
  const data = Buffer.from('hello');
  const signed = (algorithm: string) =>
    Buffer.concat([sshString(algorithm), sshString(sign(null, data, privateKey))]);
  expect(key.verify(data, signed('ssh-ed25519'))).toBe(true);
  expect(() => key.verify(data, signed('sk-ssh-ed25519@openssh.com'))).toThrow(
    'its algorithm does not fit the key, or is too weak',
  );
});
