import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type JsonWebKey,
  type KeyObject,
  type X25519KeyPairOptions,
} from 'node:crypto';
import { InvalidKeyError } from './password-errors.js';

/** The curves of key pairs: every JOSE library reads P-256, many also X25519 (RFC 8037). */
export const CURVES = ['P-256', 'X25519'] as const;

export type Curve = (typeof CURVES)[number];

/** The members of a public JWK that its thumbprint covers, in their order (RFC 7638 section 3.2). */
interface PublicJwk {
  readonly crv: Curve;
  readonly kty: 'EC' | 'OKP';
  readonly x: string;
  readonly y?: string;
}

/** A public key: it encrypts passwords that only the holder of the private key can decrypt. */
export class Recipient {
  readonly crv: Curve;
  /** The SHA-256 thumbprint of the JWK (RFC 7638): 43 characters. */
  readonly kid: string;

  /** @throws {InvalidKeyError} if the key is of another curve */
  constructor(readonly key: KeyObject) {
    const { crv, kty, x, y } = key.export({ format: 'jwk' });
    const known = CURVES.find((curve) => curve === crv);
    if (!known || x === undefined) throw new InvalidKeyError('malformed', OTHER_CURVE);
    this.crv = known;
    // Undefined members, such as the y of X25519, are omitted.
    this.kid = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
  }

  /** The public key as others need it to encrypt. */
  toJwk(): PublicJwk & { readonly kid: string; readonly use: 'enc'; readonly alg: string } {
    const jwk = this.key.export({ format: 'jwk' }) as unknown as PublicJwk;
    return { ...jwk, kid: this.kid, use: 'enc', alg: SEALING };
  }
}

/** Key management of sealed passwords (RFC 7518 section 4.6): a key agreed with each recipient wraps the content's key. */
export const SEALING = 'ECDH-ES+A256KW';

/** Exporting the `KeyObject` of a new key hangs Node 20 if garbage is collected meanwhile: both lock the key's mutex. */
const AS_PEM: X25519KeyPairOptions<'pem', 'pem'> = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
};

/** A private key with its public one. Node prints a `KeyObject` without its key, and JSON has none of it. */
export class KeyPair {
  readonly enc = 'A256GCM';
  readonly isConstant = false;
  readonly recipient: Recipient;
  readonly #key: KeyObject;

  /** A new random pair. */
  static generate(curve: Curve): KeyPair {
    const { privateKey } =
      curve === 'P-256'
        ? generateKeyPairSync('ec', { namedCurve: curve, ...AS_PEM })
        : generateKeyPairSync('x25519', AS_PEM);
    return new KeyPair(createPrivateKey(privateKey));
  }

  /** @throws {InvalidKeyError} if the key is of another curve */
  constructor(privateKey: KeyObject) {
    this.#key = privateKey;
    this.recipient = new Recipient(createPublicKey(privateKey));
  }

  /** That of its public key. */
  get kid(): string {
    return this.recipient.kid;
  }

  /** Sealing needs only the public key, which is always usable. */
  assertEncrypts(): void {
    return undefined;
  }

  privateKey(): KeyObject {
    return this.#key;
  }

  /** The private key as a JWK. */
  toJwk(): object {
    const { d } = this.#key.export({ format: 'jwk' });
    return { ...this.recipient.toJwk(), d };
  }
}

const OTHER_CURVE = `a key pair is of the curve ${CURVES.join(' or ')}; create one with "svccmd keygen --pair"`;

/**
 * Reads an asymmetric key.
 *
 * @param value a JWK, or text in PEM
 * @param name of the key, for messages
 * @throws {InvalidKeyError} without the key
 */
export function parseAsymmetric(value: object | string, name: string): KeyPair | Recipient {
  const isPrivate = typeof value === 'string' ? value.includes('PRIVATE KEY-----') : 'd' in value;
  const key = createKey(value, isPrivate);
  if (!key) {
    const encrypted = typeof value === 'string' && value.includes('ENCRYPTED');
    const remedy = encrypted ? '; decrypt it first, for instance by key_command' : '';
    throw new InvalidKeyError('malformed', `${name} is not a valid key of an elliptic curve${remedy}`);
  }
  return isPrivate ? new KeyPair(key) : new Recipient(key);
}

/** Node's own message is dropped because it may quote the key. */
function createKey(value: object | string, isPrivate: boolean): KeyObject | undefined {
  const input = typeof value === 'string' ? value : { key: value as JsonWebKey, format: 'jwk' as const };
  try {
    return isPrivate ? createPrivateKey(input) : createPublicKey(input);
  } catch {
    return undefined;
  }
}
