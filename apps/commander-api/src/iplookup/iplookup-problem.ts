import { InputFileError, LookupFormatError } from '@svc/iplookup-core';
import { Problem } from '@svc/service-kit';
import { toProblemOptions } from './problem-options.js';

/** Runs a job; its errors of lookups come out as answers, all others as they are. */
export async function orProblem<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const options = toProblemOptions(error);
    throw options ? new Problem({ ...options, cause: error }) : error;
  }
}

/** A lookup file that cannot be read is the server's fault, not the caller's; other errors pass as they are. */
export function unreadableLookup(file: string, error: unknown): unknown {
  if (error instanceof LookupFormatError) {
    return new Problem({
      status: 500,
      detail: `The lookup file is damaged: ${file}: ${error.message}.`,
      cause: error,
    });
  }
  if (error instanceof InputFileError) {
    return new Problem({
      status: 500,
      detail: `The lookup file cannot be used: ${error.message}.`,
      cause: error,
    });
  }
  return error;
}
