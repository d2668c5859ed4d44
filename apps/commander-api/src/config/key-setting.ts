/** How the key material of a setting or file is written. */
export type KeySettingForm = 'hex' | 'base64' | 'raw';

/** Splits `hex:...`, `base64:...` and `raw:...`; without such a prefix the setting is a path and the form is found out. */
export function splitKeySetting(setting: string): { form?: KeySettingForm; rest: string } {
  const match = /^(hex|base64|raw):(.*)$/s.exec(setting);
  return match ? { form: match[1] as KeySettingForm, rest: match[2]! } : { rest: setting };
}

/**
 * True when a setting with a prefix holds the key itself: digits or text of exactly an AES key's size. Anything else after
 * the prefix is the path of a file. Raw text with a dot or slash is taken for a path, so that a missing file never
 * turns its own name into the key.
 */
export function isInlineKey(setting: string): boolean {
  const { form, rest } = splitKeySetting(setting);
  if (form === 'hex') return isHexKey(rest);
  if (form === 'base64') return isBase64Key(rest);
  return form === 'raw' && /^[^./]*$/.test(rest) && isKeySize(Buffer.byteLength(rest));
}

/** True for a name that is more likely a key put in the wrong place: it must not be shown. */
export function looksLikeKey(name: string): boolean {
  return isHexKey(name) || isBase64Key(name);
}

function isHexKey(text: string): boolean {
  return /^[0-9a-f]*$/i.test(text) && isKeySize(text.length / 2);
}

function isBase64Key(text: string): boolean {
  const digits = text.replaceAll('+', '-').replaceAll('/', '_');
  const bytes = Buffer.from(digits, 'base64url');
  return isKeySize(bytes.length) && bytes.toString('base64url') === digits.replace(/={1,2}$/, '');
}

const isKeySize = (bytes: number): boolean => [16, 24, 32].includes(bytes);
