/** How many bytes show what {@link readFileStart} looks for. */
export const FILE_START_BYTES = 16;

/** What stands before the rows of a CSV file. */
export interface FileStart {
  /** Where the first row starts. */
  readonly next: number;
  /** The separator that Excel's first line `sep=;` names, which is no row. */
  readonly separator: number | undefined;
}

const SEPARATOR_LINE = /^"?sep=([^0-9A-Za-z".:/\-\r\n])"?\r?\n/i;

/**
 * Looks for a byte order mark and for Excel's `sep=;` line.
 *
 * @param length of the content, of which there are {@link FILE_START_BYTES} bytes or all
 * @returns `utf-16` for text in that encoding, with a byte order mark or without
 */
export function readFileStart(bytes: Buffer, length: number): FileStart | 'utf-16' {
  const head = bytes.toString('latin1', 0, Math.min(length, FILE_START_BYTES));
  // Without a mark, the high bytes of its first characters, which are ASCII, are zero.
  if (/^(\xff\xfe|\xfe\xff|\0[^\0]\0[^\0]|[^\0]\0[^\0]\0)/.test(head)) return 'utf-16';
  const mark = head.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const [line, separator] = SEPARATOR_LINE.exec(head.slice(mark)) ?? ['', undefined];
  return { next: mark + line.length, separator: separator?.charCodeAt(0) };
}
