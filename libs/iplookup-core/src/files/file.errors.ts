/** A system or zlib error's code, such as `ENOENT`, or empty. */
export function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

const READ_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read (permission denied)',
  EISDIR: 'is a folder, not a file',
  ENAMETOOLONG: 'has a name that is too long',
  Z_DATA_ERROR: 'is damaged: it cannot be decompressed',
  Z_BUF_ERROR: 'is truncated: its compressed data ends early',
};

/** A file cannot be read; `message` contains its name and the reason. */
export class InputFileError extends Error {
  override readonly name = 'InputFileError';
  /** True if the file does not exist. */
  readonly missing: boolean;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.missing = errorCode(options?.cause) === 'ENOENT';
  }

  /** Converts a system or zlib error. */
  static from(path: string, cause: unknown): InputFileError {
    if (cause instanceof InputFileError) return cause;
    const code = errorCode(cause);
    const reason = READ_REASONS[code] ?? `cannot be read (${code || (cause as Partial<Error>).message})`;
    return new InputFileError(`${path} ${reason}`, { cause });
  }
}

const WRITE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'the disk quota is used up; free some space and try again',
  EFBIG: 'the file would exceed the size limit of this process (see ulimit -f) or of the file system',
  ENOENT: 'its folder does not exist; create it first',
  ENOTDIR: 'its parent is not a folder',
  EEXIST: 'its parent is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  EPIPE: 'the program that read it has ended',
  ENXIO: 'it is a socket, or a device that does not exist',
};

/** Error codes of file systems without hard links. */
export const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** A lookup file cannot be written; the previous one stays in place. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';

  constructor(
    /** The file to be written. */
    readonly path: string,
    readonly reason: string,
    cause: unknown,
  ) {
    super(`${path} cannot be written: ${reason}`, { cause });
  }

  /** True if the file does not fit on the disk, into a quota or within a size limit. */
  get lacksRoom(): boolean {
    return NO_ROOM.includes(errorCode(this.cause));
  }

  /** Converts a system error; other errors are returned unchanged. */
  static from(path: string, cause: unknown): unknown {
    const reason = WRITE_REASONS[errorCode(cause)];
    return reason === undefined ? cause : new OutputFileError(path, reason, cause);
  }
}
