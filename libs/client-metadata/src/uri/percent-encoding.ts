const ENCODED_ASCII = /%([0-7][0-9A-Fa-f])/g;

/**
 * Decodes percent-encoded ASCII until nothing changes, so that what was encoded twice or more is seen as well
 * (`%252e` is `%2e` is `.`). Each round shortens the text, so it ends; bytes beyond ASCII stay encoded.
 */
export function decodeFully(text: string): string {
  let decoded = text;
  for (;;) {
    const next = decoded.replace(ENCODED_ASCII, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === decoded) return decoded;
    decoded = next;
  }
}
