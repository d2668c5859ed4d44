/** How many bytes show what {@link readFileStart} looks for. */
export const FILE_START_BYTES = 16;

/** What stands before the rows of a CSV file. */
export interface FileStart {
  /** Where the first row starts. */
  readonly next: number;
  /** The separator that Excel's first line `sep=;` names, which is no row. */
  readonly separator: number | undefined;
}

/** As iconv calls them: it must be told the order of the bytes where no mark says it. */
export type WideEncoding = 'UTF-16' | 'UTF-16LE' | 'UTF-16BE';

const SEPARATOR_LINE = /^"?sep=([^0-9A-Za-z".:/\-\r\n])"?\r?\n/i;

/**
 * Looks for a byte order mark and for Excel's `sep=;` line.
 *
 * @param length of the content, of which there are {@link FILE_START_BYTES} bytes or all
 * @returns the encoding of text in UTF-16, with a byte order mark or without
 */
export function readFileStart(bytes: Buffer, length: number): FileStart | WideEncoding {
  const head = bytes.toString('latin1', 0, Math.min(length, FILE_START_BYTES));
  if (/^(\xff\xfe|\xfe\xff)/.test(head)) return 'UTF-16';
  // Without a mark, the high bytes of its first characters, which are ASCII, are zero.
  if (/^[^\0]\0[^\0]\0/.test(head)) return 'UTF-16LE';
  if (/^\0[^\0]\0[^\0]/.test(head)) return 'UTF-16BE';
  const mark = head.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const [line, separator] = SEPARATOR_LINE.exec(head.slice(mark)) ?? ['', undefined];
  return { next: mark + line.length, separator: separator?.charCodeAt(0) };
}
