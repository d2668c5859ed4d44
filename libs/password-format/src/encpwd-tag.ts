import type { ScalarTag } from 'yaml';
import { boundPlace, decryptPassword } from './decrypt-password.js';
import type { PasswordKeys } from './password-key.js';
import { assertBelongsAt } from './password-place.js';

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
 * Returns a copy of a parsed document with every {@link EncryptedPassword} decrypted. A password that is bound to a place is
 * decrypted only there.
 *
 * @param value maps, arrays and scalars, as parsed by `yaml`
 * @param file the document's path; without it, passwords that are bound to a place are rejected
 * @throws {DecryptionError} for the first password that cannot be decrypted
 */
export async function decryptPasswords(value: unknown, keys: PasswordKeys, file?: string): Promise<unknown> {
  return decryptAt(value, []);

  async function decryptAt(part: unknown, path: readonly string[]): Promise<unknown> {
    if (part instanceof EncryptedPassword) {
      const password = await decryptPassword(part.text, keys);
      assertBelongsAt(boundPlace(part.text), file, path);
      return password;
    }
    if (Array.isArray(part))
      return Promise.all(part.map((item, index) => decryptAt(item, [...path, String(index)])));
    if (typeof part !== 'object' || part === null || Object.getPrototypeOf(part) !== Object.prototype)
      return part;
    const entries = Object.entries(part).map(
      async ([key, item]) => [key, await decryptAt(item, [...path, key])] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }
}
