import type { ScalarTag } from 'yaml';
import { decryptPassword } from './decrypt-password.js';
import type { PasswordKeys } from './password-key.js';

/** The YAML tag of encrypted passwords. */
export const ENCPWD_TAG = '!encpwd';

/** An encrypted password in a parsed document; serializes to JSON as the encrypted text. */
export class EncryptedPassword {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}

/**
 * The tag for the `yaml` package: `parse(text, { customTags: [encpwdTag] })` turns every `!encpwd "..."` into an
 * {@link EncryptedPassword}, and `stringify` with the same option writes it back.
 */
export const encpwdTag: ScalarTag = {
  tag: ENCPWD_TAG,
  identify: (value) => value instanceof EncryptedPassword,
  resolve: (text) => new EncryptedPassword(text.trim()),
  stringify: ({ value }) => JSON.stringify(value),
};

/**
 * Returns a copy of a parsed document with every {@link EncryptedPassword} decrypted.
 *
 * @param value maps, arrays and scalars, as parsed by `yaml`
 * @throws {DecryptionError} for the first password that cannot be decrypted
 */
export async function decryptPasswords(value: unknown, keys: PasswordKeys): Promise<unknown> {
  if (value instanceof EncryptedPassword) return decryptPassword(value.text, keys);
  if (Array.isArray(value)) return Promise.all(value.map((item) => decryptPasswords(item, keys)));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const entries = Object.entries(value).map(
    async ([key, item]) => [key, await decryptPasswords(item, keys)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
