import { errorCode } from './error-code.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read (permission denied)',
  EISDIR: 'is a folder, not a file',
  ENAMETOOLONG: 'has a name that is too long',
  Z_DATA_ERROR: 'is damaged: it cannot be decompressed',
  Z_BUF_ERROR: 'is cut off: it cannot be decompressed to its end',
};

/** A file cannot be read; `message` names it and says why. */
export class InputFileError extends Error {
  override readonly name = 'InputFileError';
  /** True when there is no such file. */
  readonly missing: boolean;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.missing = errorCode(options?.cause) === 'ENOENT';
  }

  /** Puts what the system said into words. */
  static from(path: string, cause: unknown): InputFileError {
    if (cause instanceof InputFileError) return cause;
    const code = errorCode(cause);
    const reason = REASONS[code] ?? `cannot be read (${code || (cause as Partial<Error>).message})`;
    return new InputFileError(`${path} ${reason}`, { cause });
  }
}
