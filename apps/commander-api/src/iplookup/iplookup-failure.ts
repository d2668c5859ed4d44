import {
  InputFileError,
  LookupFormatError,
  LookupInputError,
  LookupOptionError,
  LookupTooLargeError,
  OutputFileError,
  TooManyColumnsError,
} from '@svc/iplookup-core';
import { CommandError, EXIT, type ExitCode } from '../errors/command-error.js';

/** What went wrong with a lookup, in the terms of both faces: the exit code and the HTTP status. */
export interface IplookupFailure {
  readonly exitCode: ExitCode;
  readonly status: 400 | 404 | 413 | 500 | 503 | 507;
  readonly message: string;
}

/** @returns undefined for an error that is none of ours: a bug, or an abort */
export function toIplookupFailure(error: unknown): IplookupFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (error instanceof CommandError) {
    return { exitCode: error.exitCode, status: error.exitCode === EXIT.configuration ? 503 : 500, message };
  }
  if (error instanceof LookupOptionError) return { exitCode: EXIT.usage, status: 400, message };
  if (error instanceof LookupInputError) return { exitCode: EXIT.failed, status: 400, message };
  if (error instanceof InputFileError)
    return { exitCode: EXIT.failed, status: error.missing ? 404 : 400, message };
  if (error instanceof LookupTooLargeError) return { exitCode: EXIT.failed, status: 413, message };
  if (error instanceof OutputFileError)
    return { exitCode: EXIT.failed, status: error.lacksRoom ? 507 : 500, message };
  if (error instanceof TooManyColumnsError) return { exitCode: EXIT.failed, status: 400, message };
  if (error instanceof LookupFormatError) return { exitCode: EXIT.failed, status: 500, message };
  return undefined;
}

/** Runs a command; its errors come out as the command line tells them. */
export async function orCommandError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const failure = toIplookupFailure(error);
    throw failure ? new CommandError(failure.message, failure.exitCode, { cause: error }) : error;
  }
}
