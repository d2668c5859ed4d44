import { escapeLine, escapeLines } from '@svc/foundation';
import type { Violation } from '@svc/service-kit';

/** What the exit status of `svccmd` means: help, docs and tests read this table. */
export const EXIT = { ok: 0, failed: 1, usage: 2, configuration: 3, unreachable: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a kind of error becomes, on the command line and over HTTP. */
interface ErrorAnswer {
  readonly status: number;
  /** `EXIT.failed` when absent. */
  readonly exitCode?: ExitCode;
  /** The title of the problem document; if absent, the status's own phrase. */
  readonly title?: string;
  /** Work was stopped: by its caller, a deadline or the server's end. */
  readonly isStop?: boolean;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
}

/** Every kind of error, and its answer. */
const ANSWERS = {
  failed: { status: 500 },
  usage: { status: 400, exitCode: EXIT.usage },
  configuration: { status: 503, exitCode: EXIT.configuration },
  unreachable: { status: 503, exitCode: EXIT.unreachable },

  invalid_password: { status: 400 },
  password_too_long: { status: 413 },

  invalid_library: { status: 400, title: 'Invalid library' },
  library_configuration: { status: 503, exitCode: EXIT.configuration, retryAfter: 10 },
  library_locked: { status: 409 },
  planning_in_progress: { status: 409, retryAfter: 5 },
  other_source: { status: 409 },
  unverified_source: { status: 422, title: 'Unverified source' },
  write_conflict: { status: 409 },
  load_overtaken: { status: 409 },
  rollback_interrupted: { status: 409 },
  load_not_found: { status: 404 },
  load_not_restorable: { status: 404, exitCode: EXIT.configuration },
  library_not_found: { status: 404, exitCode: EXIT.usage },
  source_unreachable: { status: 502, exitCode: EXIT.unreachable },
  destination_unreachable: { status: 503, exitCode: EXIT.unreachable, retryAfter: 10 },

  invalid_option: { status: 400, exitCode: EXIT.usage },
  invalid_input: { status: 400, title: 'Invalid input' },
  invalid_name: { status: 400 },
  input_not_found: { status: 404 },
  input_too_large: { status: 413 },
  input_too_slow: { status: 408 },
  lookup_not_found: { status: 404 },
  lookup_changed: { status: 409 },
  version_not_found: { status: 404 },
  guard_failed: { status: 422, title: 'Guard failed' },
  unusable_input: { status: 400 },
  build_in_progress: { status: 409, retryAfter: 10 },
  build_stopped: { status: 503, isStop: true },
  read_stopped: { status: 503, isStop: true },
  response_too_large: { status: 413 },
  disk_full: { status: 507 },
} as const satisfies Record<string, ErrorAnswer>;

export type ErrorCode = keyof typeof ANSWERS;

export interface CommanderErrorOptions extends ErrorOptions {
  /** What HTTP callers read; the message when absent. */
  readonly detail?: string | undefined;
  readonly violations?: readonly Violation[] | undefined;
  /** True when a change may or may not have been made: the error is printed even after a signal. */
  readonly outcomeUnknown?: boolean;
  /** True for a wrong setting, which is read at the start only; files, keys and servers can change meanwhile. */
  readonly needsRestart?: boolean;
}

/**
 * A command or request fails. `message` has one line for each finding, with the place, the reason and the remedy. Text that it
 * quotes, such as a file name, adds no lines and is safe to print.
 */
export class CommanderError extends Error {
  override readonly name = 'CommanderError';
  readonly detail: string;
  readonly violations: readonly Violation[] | undefined;
  readonly outcomeUnknown: boolean;
  readonly needsRestart: boolean;

  /** @param message one line, or several */
  constructor(
    readonly code: ErrorCode,
    message: string | readonly string[],
    {
      detail,
      violations,
      outcomeUnknown = false,
      needsRestart = false,
      ...options
    }: CommanderErrorOptions = {},
  ) {
    super(typeof message === 'string' ? escapeLine(message) : escapeLines(message), options);
    this.detail = detail === undefined ? this.message : escapeLine(detail);
    this.violations = violations?.map(escapeViolation);
    this.outcomeUnknown = outcomeUnknown;
    this.needsRestart = needsRestart;
  }

  get answer(): ErrorAnswer {
    return ANSWERS[this.code];
  }

  get exitCode(): ExitCode {
    return this.answer.exitCode ?? EXIT.failed;
  }
}

/** The configuration does not allow the operation. */
export function configurationError(message: string, cause?: unknown): CommanderError {
  return new CommanderError('configuration', message, { cause });
}

const escapeViolation = ({ field, code, message }: Violation): Violation => ({
  field: escapeLine(field),
  code,
  message: escapeLine(message),
});
