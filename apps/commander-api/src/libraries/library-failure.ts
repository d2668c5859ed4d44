import {
  IncompleteLoadError,
  InvalidLibraryError,
  LibraryLockedError,
  OtherSourceError,
  SourceUnreachableError,
  StoreUnreachableError,
  WriteConflictError,
} from '@svc/library-sync';
import { CommandError, EXIT, type ExitCode } from '../errors/command-error.js';

/** What went wrong with a library, in the terms of both faces: the exit code and the HTTP status. */
export interface LibraryFailure {
  readonly exitCode: ExitCode;
  readonly status: 400 | 404 | 409 | 500 | 502 | 503;
  readonly message: string;
}

/** @returns undefined for an error that is none of ours: a bug, or an abort */
export function toLibraryFailure(error: unknown): LibraryFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  if (error instanceof CommandError) {
    return { exitCode: error.exitCode, status: error.exitCode === EXIT.configuration ? 503 : 500, message };
  }
  if (error instanceof InvalidLibraryError) return { exitCode: EXIT.failed, status: 400, message };
  if (error instanceof LibraryLockedError) return { exitCode: EXIT.failed, status: 409, message };
  if (error instanceof OtherSourceError) return { exitCode: EXIT.failed, status: 409, message };
  if (error instanceof WriteConflictError) return { exitCode: EXIT.failed, status: 409, message };
  if (error instanceof SourceUnreachableError) return { exitCode: EXIT.unreachable, status: 502, message };
  if (error instanceof StoreUnreachableError) return { exitCode: EXIT.unreachable, status: 503, message };
  if (error instanceof IncompleteLoadError) {
    const cause = toLibraryFailure(error.cause);
    return { exitCode: EXIT.failed, status: 500, ...cause, message };
  }
  if (NO_SUCH_LOADS.has(error.name)) return { exitCode: EXIT.failed, status: 404, message };
  if (OTHER_FAILURES.has(error.name)) return { exitCode: EXIT.failed, status: 500, message };
  return undefined;
}

const NO_SUCH_LOADS = new Set(['NoSuchLoadError', 'MissingCopyError']);

const OTHER_FAILURES = new Set([
  'LockLostError',
  'OutcomeUnknownError',
  'StoreRefusedError',
  'UnreadableStateError',
]);
