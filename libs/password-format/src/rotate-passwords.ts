import { decryptPassword, keyIdsOf } from './decrypt-password.js';
import { applyEdits, type DocumentError, type Edit, type Mark } from './documents/document-scalar.js';
import { type DocumentFormat, readDocument } from './documents/read-document.js';
import { unreadMarks } from './documents/unread-marks.js';
import { encryptPassword, type EncryptionTarget } from './encrypt-password.js';
import { DecryptionError, InvalidPasswordError } from './password-errors.js';
import type { PasswordKeys } from './password-key.js';
import { bareValue, readEncrypted } from './read-encrypted.js';

/** The result of a rotation: the new text, or the errors that prevented it. */
export interface Rotation {
  /** The text with every password re-encrypted and everything else unchanged, byte for byte. */
  readonly text: string;
  readonly rotated: number;
  /** Ids of the keys that the passwords were encrypted with. */
  readonly from: readonly string[];
  /** One per unreadable value; unless empty, `text` must not be used. */
  readonly errors: readonly DocumentError[];
}

/**
 * Decrypts every `!encpwd` scalar of a text and encrypts it anew. What is bound to a place stays so.
 *
 * @param target by default, the first key
 */
export async function rotatePasswords(
  text: string,
  keys: PasswordKeys,
  { target = keys[0], format = 'yaml' }: { target?: EncryptionTarget; format?: DocumentFormat } = {},
): Promise<Rotation> {
  const from = new Set<string>();
  const replaced = await replaceMarked(text, format, 'encpwd', async (value) => {
    const encrypted = bareValue(value);
    const password = await decryptPassword(encrypted, keys);
    for (const kid of keyIdsOf(encrypted)) from.add(kid ?? 'unknown');
    return encryptPassword(password, target, readEncrypted(encrypted).place);
  });
  return { text: replaced.text, rotated: replaced.count, from: [...from], errors: replaced.errors };
}

/** Encrypts every scalar that is marked `!encpwd-plain`. */
export async function encryptMarked(
  text: string,
  target: EncryptionTarget,
  format: DocumentFormat = 'yaml',
): Promise<Replaced> {
  return replaceMarked(text, format, 'encpwd-plain', async (value) => encryptPassword(value, target));
}

interface Replaced {
  readonly text: string;
  readonly count: number;
  /** Unless empty, `text` is unchanged. */
  readonly errors: readonly DocumentError[];
}

async function replaceMarked(
  text: string,
  format: DocumentFormat,
  mark: Mark,
  renew: (value: string) => Promise<string>,
): Promise<Replaced> {
  const document = await readDocument(text, format);
  const errors = [...document.errors];
  const edits: Edit[] = [];
  for (const scalar of document.scalars.filter((one) => one.mark === mark && !one.isAlias)) {
    try {
      const edit = scalar.replaceBy(await renew(scalar.value), mark === 'encpwd');
      if (edit) edits.push(edit);
    } catch (error) {
      if (!(error instanceof DecryptionError || error instanceof InvalidPasswordError)) throw error;
      errors.push({ line: scalar.line, message: error.message });
    }
  }
  if (errors.length === 0) errors.push(...unreadMarks(text, format, mark, edits));
  if (errors.length > 0) return { text, count: 0, errors: errors.sort((a, b) => a.line - b.line) };
  return { text: applyEdits(text, edits), count: edits.length, errors };
}
