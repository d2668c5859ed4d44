import { isKeyText, type KeyForm } from '@svc/password-format/key-form';

/** Splits `hex:...`, `base64:...` and `raw:...`; a setting without such a prefix is a path, whose form is detected. */
export function splitKeySetting(setting: string): { form?: KeyForm; rest: string } {
  const match = /^(hex|base64|raw):(.*)$/s.exec(setting);
  return match ? { form: match[1] as KeyForm, rest: match[2]! } : { rest: setting };
}

/**
 * True if a setting with a prefix contains the key itself: digits or text of exactly an AES key's size. Anything else after
 * the prefix is a path. Raw text with a dot or slash counts as a path, so that the name of a missing file never becomes the
 * key.
 */
export function isInlineKey(setting: string): boolean {
  const { form, rest } = splitKeySetting(setting);
  if (form === undefined || (form === 'raw' && /[./]/.test(rest))) return false;
  return isKeyText(rest, form);
}
