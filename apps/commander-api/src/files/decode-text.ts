/** How much of a file is looked at for zeros. */
const SAMPLE_BYTES = 8_192;

/**
 * Decodes a text file: by its byte order mark, else as UTF-8, UTF-16 without a mark, or Latin-1, which accepts any bytes.
 *
 * @returns undefined for a binary file, which contains NUL
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length % 2 !== 0 || bytes.length === 0) return undefined;
  const zeros = [0, 0];
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [high, low] = zeros.map((count) => count / (sample.length / 2)) as [number, number];
  // In UTF-16, text in Latin script has zeros in every other byte, and nowhere else.
  if (high === 0 && low > 0.7) return 'utf-16le';
  return low === 0 && high > 0.7 ? 'utf-16be' : undefined;
}
