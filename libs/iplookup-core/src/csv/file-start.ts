/** Bytes needed by {@link readFileStart}. */
export const FILE_START_BYTES = 16;

/** What precedes the rows of a CSV file. */
export interface FileStart {
  /** Where the first row starts. */
  readonly next: number;
  /** The separator from Excel's first line, such as `sep=;`. */
  readonly separator: number | undefined;
}

/** Encodings by iconv's names, with the byte order if there is no byte order mark. */
export type WideEncoding = 'UTF-16' | 'UTF-16LE' | 'UTF-16BE';

const SEPARATOR_LINE = /^"?sep=([^0-9A-Za-z".:/\-\r\n])"?\r?\n/i;

/**
 * Detects a byte order mark and Excel's `sep=;` line.
 *
 * @param length of the content, of which there are {@link FILE_START_BYTES} bytes or all
 * @returns the encoding of text in UTF-16, with a byte order mark or without
 */
export function readFileStart(bytes: Buffer, length: number): FileStart | WideEncoding {
  const head = bytes.toString('latin1', 0, Math.min(length, FILE_START_BYTES));
  if (/^(\xff\xfe|\xfe\xff)/.test(head)) return 'UTF-16';
  // Without a mark, recognized by the zero high bytes of its first, ASCII, characters.
  if (/^[^\0]\0[^\0]\0/.test(head)) return 'UTF-16LE';
  if (/^\0[^\0]\0[^\0]/.test(head)) return 'UTF-16BE';
  const mark = head.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const [line, separator] = SEPARATOR_LINE.exec(head.slice(mark)) ?? ['', undefined];
  return { next: mark + line.length, separator: separator?.charCodeAt(0) };
}
