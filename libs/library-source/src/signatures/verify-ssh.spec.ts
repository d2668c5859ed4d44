import { parseAllowedSigners } from './allowed-signers.js';
import { readSshSignature } from './ssh-signature.js';
import { verifySsh } from './verify-ssh.js';

/** Made by `printf hello | ssh-keygen -Y sign -n git`. */
const SIGNATURE = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgtEE8q7Z6Ns7Is4XFuzcErbqnd+
p201JdpgQ+A4UB0F8AAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQHkrqX7gc30J37epiW7iZ3V9+n4vPLhfixnVBGnZavcOS2a6RQdlQPTTedydQc0+jg
oG1R7+6RpnoBrsikb8KQ4=
-----END SSH SIGNATURE-----
`;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILRBPKu2ejbOyLOFxbs3BK26p3fqdtNSXaYEPgOFAdBf';
const PAYLOAD = Buffer.from('hello');
const FINGERPRINT = 'SHA256:WqEdbl+SAmijCI7vL3bEPWN2pacSvnw7Yogp0arnjZE';

const verify = (signature: string, line = `a@example.com ${KEY}`, payload = PAYLOAD) =>
  verifySsh({ payload, signature, seconds: 1_767_225_600 }, parseAllowedSigners(line), 'signers');

test('a signature of ssh-keygen is accepted, with the fingerprint that ssh-keygen prints', () => {
  expect(verify(SIGNATURE)).toEqual({ name: 'a@example.com', key: FINGERPRINT });
});

test('a signature of which one bit is changed is never accepted', () => {
  const bytes = Buffer.from(SIGNATURE.split('\n').slice(1, -2).join(''), 'base64');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    const armored = `-----BEGIN SSH SIGNATURE-----\n${changed.toString('base64')}\n-----END SSH SIGNATURE-----`;
    expect(() => verify(armored)).toThrow(expect.objectContaining({ name: 'SignatureRefusal' }));
  }
});

test('a signature that ends anywhere, or goes on, is refused', () => {
  const bytes = Buffer.from(SIGNATURE.split('\n').slice(1, -2).join(''), 'base64');
  const armored = (data: Uint8Array) =>
    `-----BEGIN SSH SIGNATURE-----\n${Buffer.from(data).toString('base64')}\n-----END SSH SIGNATURE-----`;
  expect(readSshSignature(armored(bytes)).isOf(PAYLOAD)).toBe(true);
  for (let end = 0; end < bytes.length; end += 1) {
    expect(() => readSshSignature(armored(bytes.subarray(0, end)))).toThrow(RangeError);
  }
  expect(() => readSshSignature(armored(Buffer.concat([bytes, Buffer.alloc(1)])))).toThrow(
    'something follows its last value',
  );
});

test.each([
  ['of another text', `a ${KEY}`, 'hallo', `does not match its signature by ${FINGERPRINT}: it was changed`],
  [
    'of a key that expired',
    `x ${KEY.slice(0, -1)}g\na valid-before="20251231Z" ${KEY}`,
    'hello',
    `is signed by a (${FINGERPRINT}), whose key was not valid any more at 2026-01-01T00:00:00.000Z (signers, line 2); sign it with a valid key`,
  ],
  [
    'of a key that is not valid yet',
    `a valid-after="20260102Z" ${KEY}`,
    'hello',
    'whose key was not valid yet at 2026-01-01T00:00:00.000Z',
  ],
  ['of a key for files', `a namespaces="file" ${KEY}`, 'hello', 'whose key may not sign for "git"'],
])('a signature %s is refused, with the reason', (_case, line, payload, message) => {
  expect(() => verify(SIGNATURE, line, Buffer.from(payload))).toThrow(message);
});
