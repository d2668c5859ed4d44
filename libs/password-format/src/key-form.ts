/** How key material is encoded, for files whose content is ambiguous. */
export type KeyForm = 'hex' | 'base64' | 'raw';

/** Content encryption by key size in bytes (RFC 7518 section 5.3). */
export const ENCRYPTIONS = { 16: 'A128GCM', 24: 'A192GCM', 32: 'A256GCM' } as const;

/** Well above a JWK set of many keys. */
export const MAX_KEY_FILE_BYTES = 65_536;

export function isKeySize(length: number): length is keyof typeof ENCRYPTIONS {
  return length in ENCRYPTIONS;
}

/** Decoders by form; each returns undefined if the text is not in that form. White space is ignored. */
export const KEY_READERS: Readonly<Record<KeyForm, (content: Uint8Array) => Uint8Array | undefined>> = {
  hex: (content) => {
    const digits = textOf(content);
    return /^(?:[0-9a-f]{2})+$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
  },
  base64: (content) => {
    const digits = textOf(content).replaceAll('+', '-').replaceAll('/', '_');
    const bytes = Buffer.from(digits, 'base64url');
    // Buffer skips invalid characters, so only text that round-trips was base64.
    return digits !== '' && bytes.toString('base64url') === digits.replace(/={1,2}$/, '') ? bytes : undefined;
  },
  raw: (content) => content,
};

/** True for text that decodes to an AES key. */
export function isKeyText(text: string, form: KeyForm): boolean {
  return isKeySize(KEY_READERS[form](Buffer.from(text))?.length ?? 0);
}

/** The content without white space; non-ASCII bytes become characters that no form accepts. */
function textOf(content: Uint8Array): string {
  return Buffer.from(content)
    .toString('latin1')
    .replace(/[ \t\r\n]/g, '');
}
