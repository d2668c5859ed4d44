import { isKeyText, type KeyForm } from '@svc/password-format/key-form';

/** Splits `hex:...`, `base64:...` and `raw:...`; without such a prefix the setting is a path and the form is found out. */
export function splitKeySetting(setting: string): { form?: KeyForm; rest: string } {
  const match = /^(hex|base64|raw):(.*)$/s.exec(setting);
  return match ? { form: match[1] as KeyForm, rest: match[2]! } : { rest: setting };
}

/**
 * True when a setting with a prefix holds the key itself: digits or text of exactly an AES key's size. Anything else after
 * the prefix is the path of a file. Raw text with a dot or slash is taken for a path, so that a missing file never
 * turns its own name into the key.
 */
export function isInlineKey(setting: string): boolean {
  const { form, rest } = splitKeySetting(setting);
  if (form === undefined || (form === 'raw' && /[./]/.test(rest))) return false;
  return isKeyText(rest, form);
}
