import { isUtf8 } from 'node:buffer';

export const NOT_UTF8 = 'is not UTF-8; save it as UTF-8';

/** @returns undefined if the ignore file is not UTF-8: no pattern would match, and what it excludes would be loaded */
export function ignoreText(data: Uint8Array): string | undefined {
  // ASCII in UTF-16 is valid UTF-8, too, but every other byte is 0.
  return isUtf8(data) && !data.includes(0) ? Buffer.from(data).toString() : undefined;
}
