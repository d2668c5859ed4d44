import { PullFailedError, PullRefusedError } from '@svc/directory-store';
import { MissingCopyError } from '@svc/library-source';
import {
  IncompleteLoadError,
  InterruptedRollbackError,
  InvalidLibraryError,
  LibraryLockedError,
  LockLostError,
  OtherSourceError,
  OutcomeUnknownError,
  OvertakenError,
  SourceConfigurationError,
  SourceUnreachableError,
  StoreRefusedError,
  StoreUnreachableError,
  UnreadableStateError,
  UnverifiedSourceError,
  WriteConflictError,
} from '@svc/library-sync';
import type { Violation } from '@svc/service-kit';
import { CommanderError, type ErrorCode } from '../errors/commander-error.js';

/** Errors of the libraries below, and their codes for callers. */
const CODES: readonly (readonly [type: new (...args: never[]) => Error, code: ErrorCode])[] = [
  [InvalidLibraryError, 'invalid_library'],
  [LibraryLockedError, 'library_locked'],
  [OtherSourceError, 'other_source'],
  [OvertakenError, 'load_overtaken'],
  [InterruptedRollbackError, 'rollback_interrupted'],
  [SourceConfigurationError, 'library_configuration'],
  [UnverifiedSourceError, 'unverified_source'],
  [WriteConflictError, 'write_conflict'],
  [SourceUnreachableError, 'source_unreachable'],
  [StoreUnreachableError, 'destination_unreachable'],
  [MissingCopyError, 'load_not_found'],
  [PullRefusedError, 'failed'],
  [PullFailedError, 'unreachable'],
  [LockLostError, 'failed'],
  [OutcomeUnknownError, 'failed'],
  [StoreRefusedError, 'failed'],
  [UnreadableStateError, 'failed'],
];

/** Runs a task. Converts errors of libraries to {@link CommanderError}; bugs and aborts are rethrown. */
export async function withLibraryErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toLibraryError(error);
  }
}

/** A library's own error as a {@link CommanderError}; any other as it is. */
export function toLibraryError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof CommanderError) return error;
  const { message } = error as Error;
  const lines = LISTS.some((type) => error instanceof type) ? message.split('\n') : [message];
  return new CommanderError(code, lines, {
    cause: error,
    detail: lines[0]!.replace(/:$/, '.'),
    violations: error instanceof InvalidLibraryError ? violationsOf(error) : undefined,
    outcomeUnknown: error instanceof IncompleteLoadError,
  });
}

/** Errors whose messages have several lines, each safe to print. */
const LISTS = [InvalidLibraryError, PullRefusedError] as const;

function codeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof CommanderError) return error.code;
  if (error instanceof IncompleteLoadError) return codeOf(error.cause) ?? 'failed';
  return CODES.find(([type]) => error instanceof type)?.[1];
}

/** A response lists this many errors; `detail` counts all of them. */
const MAX_VIOLATIONS = 100;

/** `field` is the place in the library: path, line, column. */
function violationsOf({ findings }: InvalidLibraryError): Violation[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .slice(0, MAX_VIOLATIONS)
    .map(({ path, line, column, code, message }) => ({
      field: [path, line, column].filter((part) => part !== undefined).join(':'),
      code,
      message,
    }));
}
