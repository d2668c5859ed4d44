import type { ScalarTag } from 'yaml';
import { decryptPassword } from './decrypt-password.js';
import type { PasswordKeys } from './password-key.js';

/** The YAML tag of encrypted passwords. */
export const ENCPWD_TAG = '!encpwd';

/** An encrypted password as it stands in a document. Its JSON form is the encrypted text. */
export class EncryptedPassword {
  constructor(readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}

/**
 * The tag for the `yaml` package: `parse(text, { customTags: [encpwdTag] })` gives {@link EncryptedPassword} wherever the
 * document says `!encpwd "..."`, and `stringify` with the same option writes it back.
 */
export const encpwdTag: ScalarTag = {
  tag: ENCPWD_TAG,
  identify: (value) => value instanceof EncryptedPassword,
  resolve: (text) => new EncryptedPassword(text.trim()),
  stringify: ({ value }) => JSON.stringify(value),
};

/**
 * Copies a parsed document with every {@link EncryptedPassword} replaced by the password itself.
 *
 * @param value maps, arrays and scalars, as `yaml` gives them
 * @throws {DecryptionError} for the first that cannot be decrypted
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
