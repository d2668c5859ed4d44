import { STATUS_CODES } from 'node:http';
import { furtherViolations } from '@svc/foundation';
import type { Violation, ProblemDocument } from './problem-document.js';

export interface ProblemOptions {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** One or two sentences for the caller: place, reason, remedy. Never a secret. */
  readonly detail: string;
  /** URI of the kind of problem; `about:blank` (RFC 9457 section 4.2.1) by default. */
  readonly type?: string;
  /** Short name of the kind; the status's phrase by default. */
  readonly title?: string;
  /** OAuth's error code (RFC 6749 section 5.2, RFC 6750 section 3.1, RFC 7591 section 3.2.2). */
  readonly error?: string;
  readonly errors?: readonly Violation[];
  /** Response headers, such as Retry-After or WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The cause has already been logged, once for many requests. */
  readonly isLogged?: boolean;
  /** Work was stopped, which is no failure of the server if its caller has left. */
  readonly isStop?: boolean;
  readonly cause?: unknown;
}

const OAUTH_ERRORS: Readonly<Record<number, string>> = {
  401: 'invalid_token',
  403: 'insufficient_scope',
  404: 'not_found',
  409: 'conflict',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

/** An error answer. Thrown where the HTTP status is known; the filter sends it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isLogged: boolean;
  readonly isStop: boolean;

  constructor(private readonly options: ProblemOptions) {
    super(options.detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.isLogged = options.isLogged ?? false;
    this.isStop = options.isStop ?? false;
  }

  /**
   * @param instance the request's path, without its query
   * @param requestId identifies the request in the log
   */
  toDocument(instance: string, requestId: string): ProblemDocument {
    const { status, type, title, error, errors } = this.options;
    const detail = cut(this.options.detail, MAX_DETAIL);
    return {
      type: type ?? 'about:blank',
      title: title ?? STATUS_CODES[status] ?? 'Error',
      status,
      detail,
      instance: cut(instance, MAX_TEXT),
      request_id: requestId,
      error: error ?? OAUTH_ERRORS[status] ?? (status < 500 ? 'invalid_request' : 'server_error'),
      error_description: toErrorDescription(detail),
      ...(errors === undefined ? {} : { errors: fewOf(errors) }),
    };
  }
}

/** Limits of a document, in characters, to keep answers readable and loggable whatever the request contained. */
const MAX_DETAIL = 1_500;
const MAX_TEXT = 400;
const MAX_LISTED = 48_000;

/** As many as fit, shortened, and a count of the rest. */
function fewOf(errors: readonly Violation[]): Violation[] {
  const listed: Violation[] = [];
  let room = MAX_LISTED;
  for (const { field, code, message } of errors) {
    const short = { field: cut(field, MAX_TEXT), code: cut(code, MAX_TEXT), message: cut(message, MAX_TEXT) };
    room -= short.field.length + short.code.length + short.message.length;
    if (room < 0) break;
    listed.push(short);
  }
  const surplus = errors.length - listed.length;
  if (surplus === 0) return listed;
  return [...listed, furtherViolations(surplus)];
}

/** Does not split a surrogate pair, which JSON parsers and PostgreSQL would refuse. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 3).replace(/[\ud800-\udbff]$/, '')}...`;
}

/** OAuth allows only %x20-21 / %x23-5B / %x5D-7E in `error_description` (RFC 6749 section 5.2). */
function toErrorDescription(detail: string): string {
  return detail
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, '?');
}
