import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { SshReader, sshString } from './ssh-reader.js';

/** A public key that signatures can be verified with. */
export interface SshKey {
  /** `ssh-ed25519` */
  readonly type: string;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  /**
   * @param signature the algorithm's name, and what follows it
   * @throws {RangeError} if the signature is malformed, or its algorithm is not accepted
   */
  verify(data: Uint8Array, signature: Buffer): boolean;
}

/** Reads the rest of a signature, and verifies it. */
type Verifier = (algorithm: string, reader: SshReader, data: Uint8Array) => boolean;

/** Reads the rest of a key. @param algorithm of its signatures, which for RSA is one of several */
type KeyReader = (reader: SshReader, algorithm: string) => Verifier;

const MIN_RSA_BITS = 2_048;

const KEY_TYPES: Readonly<Record<string, KeyReader>> = {
  'ssh-ed25519': ed25519,
  'ecdsa-sha2-nistp256': (key, algorithm) => ecdsa(key, algorithm, 'nistp256'),
  'ecdsa-sha2-nistp384': (key, algorithm) => ecdsa(key, algorithm, 'nistp384'),
  'ecdsa-sha2-nistp521': (key, algorithm) => ecdsa(key, algorithm, 'nistp521'),
  'ssh-rsa': rsa,
  'sk-ssh-ed25519@openssh.com': (key, algorithm) => onSecurityKey(key, ed25519(key, algorithm)),
  'sk-ecdsa-sha2-nistp256@openssh.com': (key, algorithm) =>
    onSecurityKey(key, ecdsa(key, algorithm, 'nistp256')),
};

/**
 * @param blob the key in SSH's encoding, such as the base64 in a `.pub` file
 * @throws {RangeError} if it is malformed, or of another type
 * @see RFC 4253 section 6.6, RFC 5656 section 3.1, RFC 8709 section 4, OpenSSH's PROTOCOL.u2f
 */
export function readSshKey(blob: Buffer): SshKey {
  const reader = new SshReader(blob);
  const type = reader.text();
  const readKey = Object.hasOwn(KEY_TYPES, type) ? KEY_TYPES[type] : undefined;
  if (type.includes('-cert-')) throw new RangeError('SSH certificates are not supported; use plain keys');
  if (!readKey)
    throw new RangeError(`keys of this type are not supported (${Object.keys(KEY_TYPES).join(', ')})`);
  const verifies = readKey(reader, type);
  reader.end();
  return {
    type,
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
    verify: (data, signature) => {
      const parts = new SshReader(signature);
      const isValid = verifies(parts.text(), parts, data);
      parts.end();
      return isValid;
    },
  };
}

function ed25519(reader: SshReader, accepted: string): Verifier {
  const key = importKey({ kty: 'OKP', crv: 'Ed25519', x: base64url(reader.string()) });
  return (algorithm, signature, data) => {
    assertAlgorithm(algorithm, [accepted]);
    return verify(null, data, key, signature.string());
  };
}

const CURVES = {
  nistp256: { crv: 'P-256', bytes: 32, digest: 'sha256' },
  nistp384: { crv: 'P-384', bytes: 48, digest: 'sha384' },
  nistp521: { crv: 'P-521', bytes: 66, digest: 'sha512' },
} as const;

const UNCOMPRESSED = 4;

function ecdsa(reader: SshReader, accepted: string, curve: keyof typeof CURVES): Verifier {
  const { crv, bytes, digest } = CURVES[curve];
  if (reader.text() !== curve) throw new RangeError('its type and its curve differ');
  const point = reader.string();
  if (point[0] !== UNCOMPRESSED || point.length !== 1 + 2 * bytes)
    throw new RangeError('it has no valid point');
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)].map(base64url);
  const key = importKey({ kty: 'EC', crv, x: x!, y: y! });
  return (algorithm, signature, data) => {
    assertAlgorithm(algorithm, [accepted]);
    const numbers = new SshReader(signature.string());
    const both = Buffer.concat([padded(numbers.integer(), bytes), padded(numbers.integer(), bytes)]);
    numbers.end();
    return verify(digest, data, { key, dsaEncoding: 'ieee-p1363' }, both);
  };
}

function rsa(reader: SshReader): Verifier {
  const [e, n] = [reader.integer(), reader.integer()];
  if (bitsOf(n) < MIN_RSA_BITS)
    throw new RangeError(`RSA keys of less than ${MIN_RSA_BITS} bits are not accepted`);
  const key = importKey({ kty: 'RSA', e: base64url(e), n: base64url(n) });
  return (algorithm, signature, data) => {
    assertAlgorithm(algorithm, ['rsa-sha2-256', 'rsa-sha2-512']);
    const digest = algorithm === 'rsa-sha2-256' ? 'sha256' : 'sha512';
    return verify(digest, data, key, padded(signature.string(), n.length));
  };
}

/** The length in bits of a number without leading zero bytes. */
const bitsOf = (number: Buffer): number => number.length * 8 - Math.clz32(number[0] ?? 0) + 24;

/** A FIDO authenticator signs a digest of the data, with its flags and counter. */
function onSecurityKey(reader: SshReader, verifies: Verifier): Verifier {
  const application = sha256(reader.string());
  return (algorithm, signature, data) => {
    const inner = signature.string();
    const flagsAndCounter = signature.bytes(5);
    const signed = Buffer.concat([application, flagsAndCounter, sha256(data)]);
    return verifies(algorithm, new SshReader(sshString(inner)), signed);
  };
}

function assertAlgorithm(algorithm: string, accepted: readonly string[]): void {
  if (!accepted.includes(algorithm))
    throw new RangeError('its algorithm does not fit the key, or is too weak');
}

/** @throws {RangeError} */
function padded(number: Buffer, bytes: number): Buffer {
  if (number.length > bytes) throw new RangeError('a number is too large for the key');
  return Buffer.concat([Buffer.alloc(bytes - number.length), number]);
}

function importKey(key: JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch (error) {
    throw new RangeError('it is not a valid key', { cause: error });
  }
}

const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');
const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();
