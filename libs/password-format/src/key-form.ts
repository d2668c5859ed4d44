/** How key material is written, where its bytes alone do not tell. */
export type KeyForm = 'hex' | 'base64' | 'raw';

/** Content encryption by key size in bytes (RFC 7518 section 5.3). */
export const ENCRYPTIONS = { 16: 'A128GCM', 24: 'A192GCM', 32: 'A256GCM' } as const;

/** Whatever is longer is no key file, in bytes; a JWK set of many keys stays far below. */
export const MAX_KEY_FILE_BYTES = 65_536;

export function isKeySize(length: number): length is keyof typeof ENCRYPTIONS {
  return length in ENCRYPTIONS;
}

/** The bytes that each form makes of a text; undefined where the text is not of that form. White space is ignored. */
export const KEY_READERS: Readonly<Record<KeyForm, (content: Uint8Array) => Uint8Array | undefined>> = {
  hex: (content) => {
    const digits = textOf(content);
    return /^(?:[0-9a-f]{2})+$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
  },
  base64: (content) => {
    const digits = textOf(content).replaceAll('+', '-').replaceAll('/', '_');
    const bytes = Buffer.from(digits, 'base64url');
    // Buffer skips what is no base64, so only text that it writes back alike was base64.
    return digits !== '' && bytes.toString('base64url') === digits.replace(/={1,2}$/, '') ? bytes : undefined;
  },
  raw: (content) => content,
};

/** True for a text that is a whole AES key in the form. */
export function isKeyText(text: string, form: KeyForm): boolean {
  return isKeySize(KEY_READERS[form](Buffer.from(text))?.length ?? 0);
}

/** The content as ASCII text without white space; bytes beyond ASCII become characters that no form knows. */
function textOf(content: Uint8Array): string {
  return Buffer.from(content)
    .toString('latin1')
    .replace(/[ \t\r\n]/g, '');
}
