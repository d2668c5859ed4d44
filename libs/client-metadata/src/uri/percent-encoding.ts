const PERCENT = 0x25;

/** Characters joined per call: the number of arguments is limited. */
const JOINED_AT_ONCE = 8_192;

/**
 * Decodes percent-encoded ASCII repeatedly, so that multiple encoding is seen through (`%252e` is `%2e` is `.`).
 * Other bytes stay encoded. Takes linear time: a decoded character can only complete an escape that ends with it, so
 * at most three characters are revisited. Works on character codes, since a bulk request may contain a hundred
 * thousand URIs.
 */
export function decodeFully(text: string): string {
  const start = text.indexOf('%');
  if (start < 0) return text;
  const decoded = new Uint16Array(text.length - start);
  let length = 0;
  for (let at = start; at < text.length; at += 1) {
    decoded[length] = text.charCodeAt(at);
    length += 1;
    while (length > 2 && decoded[length - 3] === PERCENT) {
      const code = asciiOf(decoded[length - 2], decoded[length - 1]);
      if (code < 0) break;
      length -= 2;
      decoded[length - 1] = code;
    }
  }
  return text.slice(0, start) + textOf(decoded.subarray(0, length));
}

/** The ASCII code given by two hexadecimal digits; -1 if invalid or not ASCII. */
function asciiOf(high = 0, low = 0): number {
  const first = digitOf(high);
  const second = digitOf(low);
  return first < 0 || first > 7 || second < 0 ? -1 : first * 16 + second;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  // Sets the lower-case bit.
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += JOINED_AT_ONCE) {
    // Spreading a typed array takes six times as long.
    text += Reflect.apply(String.fromCharCode, undefined, codes.subarray(at, at + JOINED_AT_ONCE)) as string;
  }
  return text;
}
