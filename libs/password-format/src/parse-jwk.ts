import { isKeySize } from './key-form.js';
import { InvalidKeyError } from './password-errors.js';
import { type OpeningKey, PasswordKey } from './password-key.js';
import { parseAsymmetric, type Recipient } from './sealing-keys.js';

/**
 * Reads a JWK (RFC 7517 section 4) of type `oct`, `EC` or `OKP`, a set of them (section 5), or a key in PEM.
 *
 * @returns undefined unless the content is a JSON object or PEM, so that other forms can be tried
 * @throws {InvalidKeyError} if it is but not of usable keys
 */
export function parseKeys(
  content: Uint8Array,
): [OpeningKey | Recipient, ...(OpeningKey | Recipient)[]] | undefined {
  const text = Buffer.from(content)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
  if (text.startsWith('-----BEGIN ')) return [parseAsymmetric(text, 'the key in PEM')];
  const value = parseObject(text, content.length);
  if (!value) return undefined;
  if (!('keys' in value)) return [toKey(value, 'the JWK')];
  if (!Array.isArray(value.keys)) throw malformed('the JWK set has no array "keys"');
  const [first, ...others] = value.keys.map((key: unknown, index) =>
    toKey(key, `key ${index + 1} of the JWK set`),
  );
  if (!first) throw new InvalidKeyError('empty', 'the JWK set has no key');
  return [first, ...others];
}

/** The inverse of {@link parseKeys}: one key as a JWK, several as a JWK set. */
export function toJwkText(keys: readonly (OpeningKey | Recipient)[]): string {
  const jwks = keys.map((key) => (key instanceof PasswordKey ? toOctJwk(key) : key.toJwk()));
  return `${JSON.stringify(jwks.length === 1 ? jwks[0] : { keys: jwks }, null, 2)}\n`;
}

function toOctJwk(key: PasswordKey): object {
  return { kty: 'oct', use: 'enc', kid: key.kid, k: Buffer.from(key.bytes()).toString('base64url') };
}

function parseObject(text: string, bytes: number): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // A raw key may happen to start with a brace. The parser's message is dropped because it would quote the key.
    if (isKeySize(bytes)) return undefined;
    throw malformed('the key begins like a JWK but is not JSON');
  }
}

function toKey(value: unknown, name: string): OpeningKey | Recipient {
  const jwk = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { kty, use } = jwk;
  if (kty !== 'oct' && kty !== 'EC' && kty !== 'OKP') {
    throw malformed(`${name} does not have the key type "oct", "EC" or "OKP"`);
  }
  if (use !== undefined && use !== 'enc') throw malformed(`${name} is not for encryption ("use")`);
  return kty === 'oct' ? toPasswordKey(jwk['k'], name) : parseAsymmetric(jwk, name);
}

function toPasswordKey(k: unknown, name: string): PasswordKey {
  const bytes = typeof k === 'string' ? Buffer.from(k, 'base64url') : undefined;
  if (bytes === undefined || bytes.toString('base64url') !== k) {
    throw malformed(`${name} has no "k" in base64url without padding`);
  }
  if (!isKeySize(bytes.length)) {
    throw new InvalidKeyError('size', `${name} has ${bytes.length} bytes; a key has 16, 24 or 32`);
  }
  return new PasswordKey(bytes);
}

function malformed(message: string): InvalidKeyError {
  return new InvalidKeyError('malformed', message);
}
