import { errorCode } from './error-code.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full; make room there and try again',
  EDQUOT: 'the disk quota is used up; make room there and try again',
  EFBIG: 'the file would be larger than this process may write (see ulimit -f) or the file system takes',
  ENOENT: 'its folder does not exist; make it first',
  ENOTDIR: 'its folder is not a folder',
  EEXIST: 'its folder is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
};

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** A lookup file cannot be written; the former one stands. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';

  private constructor(
    /** The file that was to be written. */
    readonly path: string,
    readonly reason: string,
    cause: unknown,
  ) {
    super(`${path} cannot be written: ${reason}`, { cause });
  }

  /** True when there is no room for the file: on the disk, in a quota, or below a limit of sizes. */
  get lacksRoom(): boolean {
    return NO_ROOM.includes(errorCode(this.cause));
  }

  /** Puts what the system said into words; errors that do not come from writing are left as they are. */
  static from(path: string, cause: unknown): unknown {
    const reason = REASONS[errorCode(cause)];
    return reason === undefined ? cause : new OutputFileError(path, reason, cause);
  }
}
