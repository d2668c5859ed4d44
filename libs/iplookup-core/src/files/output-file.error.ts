import { errorCode } from './error-code.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full; make room there and try again',
  EDQUOT: 'the disk quota is used up; make room there and try again',
  EFBIG: 'the file would be too large',
  ENOTDIR: 'its folder is not a folder',
  EEXIST: 'its folder is not a folder',
  EISDIR: 'it is a folder',
};

/** A lookup file cannot be written; the former one stands. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';

  /** Puts what the system said into words; errors that do not come from writing are left as they are. */
  static from(path: string, cause: unknown): unknown {
    const reason = REASONS[errorCode(cause)];
    return reason === undefined
      ? cause
      : new OutputFileError(`${path} cannot be written: ${reason}`, { cause });
  }
}
