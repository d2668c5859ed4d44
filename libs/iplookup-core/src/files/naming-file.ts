import { LookupFormatError } from '../mmdb/lookup-format.error.js';

/** Runs what reads a lookup file; when the file is no good, the error names it. */
export function namingFile<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof LookupFormatError
      ? new LookupFormatError(`${path}: ${error.message}`, { cause: error })
      : error;
  }
}
