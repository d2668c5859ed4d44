import type { Violation } from '@svc/service-kit';

/** The HTTP answer to a kind of error. */
export interface ErrorAnswer {
  readonly status: number;
  /** OAuth's error code, where the status does not imply it. */
  readonly error?: string;
  /** For the caller, if the error's own message is only for the log. */
  readonly detail?: string;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
  /** Already logged where it occurred, once for many requests. */
  readonly isLogged?: true;
  /** `WWW-Authenticate` (RFC 6750 section 3). */
  readonly challenge?: string;
}

const SHORTLY = 2;

/** Long enough for an operator to free some space. */
const AFTER_CLEANUP = 60;

/** All error codes of the registry, and their answers. */
const ANSWERS = {
  invalid_client_metadata: { status: 400, error: 'invalid_client_metadata' },
  invalid_redirect_uri: { status: 400, error: 'invalid_redirect_uri' },
  invalid_json: { status: 400, error: 'invalid_client_metadata' },
  invalid_cursor: { status: 400 },
  invalid_position: { status: 400 },
  invalid_idempotency_key: { status: 400 },
  idempotent_dry_run: { status: 400 },
  import_refused: { status: 400, error: 'invalid_client_metadata' },
  import_abandoned: { status: 400 },
  token_missing: { status: 401, challenge: 'Bearer realm="svc"' },
  token_invalid: { status: 401, challenge: 'Bearer realm="svc", error="invalid_token"' },
  scope_not_held: { status: 403 },
  restriction_not_held: { status: 403 },
  invalid_restriction: { status: 400 },
  // RFC 7592 section 2.1: no permission to read or change the record.
  registration_disabled: { status: 403, error: 'unauthorized_client' },
  registration_quota: { status: 403 },
  client_not_found: { status: 404 },
  version_not_found: { status: 404 },
  token_not_found: { status: 404 },
  job_not_found: { status: 404 },
  redirect_uri_permanent: { status: 409 },
  too_many_temporary_uris: { status: 409 },
  client_exists: { status: 409, error: 'invalid_client_metadata' },
  idempotency_key_reused: { status: 409 },
  idempotent_client_gone: { status: 409 },
  idempotent_token_ended: { status: 409 },
  warning_not_fixable: { status: 409 },
  job_not_finished: { status: 409 },
  job_not_undoable: { status: 409 },
  unexpected_deleted: { status: 409 },
  too_many_tokens: { status: 409 },
  token_chain_too_long: { status: 409 },
  too_many_reporters: { status: 409 },
  changes_gone: { status: 410 },
  events_gone: { status: 410 },
  client_changed: { status: 412 },
  body_too_large: { status: 413 },
  too_many_clients: { status: 413 },
  registration_limit: { status: 429 },
  too_many_jobs: { status: 429, retryAfter: SHORTLY },
  share_used_up: { status: 429, retryAfter: SHORTLY },
  no_place_left: { status: 503, retryAfter: SHORTLY },
  checks_busy: { status: 503, retryAfter: SHORTLY },
  import_under_way: { status: 503, retryAfter: SHORTLY },
  issuer_unavailable: {
    status: 503,
    detail:
      'Access tokens cannot be verified at the moment, since their issuer does not respond; try again shortly.',
    retryAfter: SHORTLY,
  },
  database_unavailable: {
    status: 503,
    detail: 'The database cannot be reached at the moment; try again shortly.',
    retryAfter: SHORTLY,
    isLogged: true,
  },
  database_timeout: {
    status: 503,
    detail: 'The database took too long, perhaps because of concurrent changes; try again shortly.',
    retryAfter: SHORTLY,
  },
  disk_full: {
    status: 503,
    detail: 'The server is out of storage at the moment; try again later.',
    retryAfter: AFTER_CLEANUP,
  },
  no_temporary_folder: { status: 503, retryAfter: AFTER_CLEANUP },
  conflict: {
    status: 503,
    detail: 'Concurrent changes interfered; try again shortly.',
    retryAfter: SHORTLY,
  },
} as const satisfies Record<string, ErrorAnswer>;

export type ErrorCode = keyof typeof ANSWERS;

export function answerOf(code: ErrorCode): ErrorAnswer {
  return ANSWERS[code];
}

interface RegistryErrorOptions extends ErrorOptions {
  /** For the caller; by default, the message as a sentence. */
  readonly detail?: string;
  readonly violations?: readonly Violation[];
  /** Seconds until a retry makes sense, where that depends on more than the code. */
  readonly retryAfter?: number;
}

/** An error with an answer for the caller. Its message is safe to return. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly detail: string | undefined;
  readonly violations: readonly Violation[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { detail, violations, retryAfter, ...options }: RegistryErrorOptions = {},
  ) {
    super(message, options);
    this.detail = detail;
    this.violations = violations;
    this.retryAfter = retryAfter;
  }
}

export function hasErrorCode(error: unknown, code: ErrorCode): error is RegistryError {
  return error instanceof RegistryError && error.code === code;
}
