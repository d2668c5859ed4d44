const ENCODED_ASCII = /^%[0-7][0-9A-Fa-f]$/;

/**
 * Decodes percent-encoded ASCII until nothing is left to decode, so that what was encoded twice or more is seen as well
 * (`%252e` is `%2e` is `.`). Bytes beyond ASCII stay encoded. Takes time linear to the text's length: a decoded
 * character may complete an escape before it, so only the last three characters are ever looked at again.
 */
export function decodeFully(text: string): string {
  if (!text.includes('%')) return text;
  const decoded: string[] = [];
  for (const character of text) {
    decoded.push(character);
    while (decoded.length > 2 && ENCODED_ASCII.test(decoded.slice(-3).join(''))) {
      const [, high, low] = decoded.splice(-3);
      decoded.push(String.fromCharCode(Number.parseInt(`${high}${low}`, 16)));
    }
  }
  return decoded.join('');
}
