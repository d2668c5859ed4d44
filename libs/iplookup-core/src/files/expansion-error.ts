import { InputFileError } from './file.errors.js';

/** Up to this size, the compression ratio is not checked. */
export const RATIO_FREE_BYTES = 1 << 20;

/** For a file whose content is larger, compared with the file, than its limits allow. */
export function expansionError(name: string, maxRatio: number, cause?: unknown): InputFileError {
  const message = `${name} becomes more than ${maxRatio} times as large when it is decompressed`;
  return new InputFileError(message, { cause });
}
