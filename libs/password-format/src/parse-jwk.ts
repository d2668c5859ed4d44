import { isKeySize } from './key-form.js';
import { InvalidKeyError } from './password-errors.js';
import { PasswordKey, type PasswordKeys } from './password-key.js';

/**
 * Reads a JWK (RFC 7517 section 4) of type `oct` or a set of them (section 5).
 *
 * @returns undefined unless the content is a JSON object, so that other forms can be tried
 * @throws {InvalidKeyError} if it is a JSON object but not a usable key
 */
export function parseJwk(content: Uint8Array): PasswordKeys | undefined {
  const value = parseObject(content);
  if (!value) return undefined;
  if (!('keys' in value)) return [toKey(value, 'the JWK')];
  if (!Array.isArray(value.keys)) throw malformed('the JWK set has no array "keys"');
  const [first, ...others] = value.keys.map((key: unknown, index) =>
    toKey(key, `key ${index + 1} of the JWK set`),
  );
  if (!first) throw new InvalidKeyError('empty', 'the JWK set has no key');
  return [first, ...others];
}

/** The inverse of {@link parseJwk}: one key as a JWK, several as a JWK set. */
export function toJwkText(keys: PasswordKeys): string {
  const jwks = keys.map((key) => ({
    kty: 'oct',
    use: 'enc',
    kid: key.kid,
    k: Buffer.from(key.bytes()).toString('base64url'),
  }));
  return `${JSON.stringify(jwks.length === 1 ? jwks[0] : { keys: jwks }, null, 2)}\n`;
}

function parseObject(content: Uint8Array): Record<string, unknown> | undefined {
  const text = Buffer.from(content)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim();
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    // A raw key may happen to start with a brace. The parser's message is dropped because it would quote the key.
    if (isKeySize(content.length)) return undefined;
    throw malformed('the key begins like a JWK but is not JSON');
  }
}

function toKey(value: unknown, name: string): PasswordKey {
  const { kty, k, use } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  if (kty !== 'oct') throw malformed(`${name} does not have the key type "oct"`);
  if (use !== undefined && use !== 'enc') throw malformed(`${name} is not for encryption ("use")`);
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
