import type { Schema } from '@svc/registry-contract';
import { text } from '../texts/text.js';

/** A violation of a rule: where (a JSON pointer into the body), which rule, and a message for the user. */
export type Violation = Schema<'Violation'>;

interface ApiErrorDetails {
  /** The OAuth error code, such as `insufficient_scope`. */
  readonly code?: string | undefined;
  readonly errors?: readonly Violation[];
  /** Identifies the request in the service's log. */
  readonly requestId?: string | undefined;
  /** From Retry-After, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** A failed request, with a message for the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string | undefined;
  readonly errors: readonly Violation[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    /** HTTP status; 0 if there was no response. */
    readonly status: number,
    message: string,
    { code, errors = [], requestId, retryAfterMs }: ApiErrorDetails = {},
  ) {
    super(message);
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Without a response, or with that of a proxy which has none: what was requested may have been done nevertheless. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && [0, 502, 504].includes(error.status);
}

/** Several violations in one message; `undefined` for none. */
export function messagesOf(violations: readonly Violation[]): string | undefined {
  return violations.length > 0 ? violations.map(({ message }) => message).join('; ') : undefined;
}

/** Reads problem+json (RFC 9457); any other body is ignored. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const errors = readViolations(member(body, 'errors'));
  const code = member(body, 'error');
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
  return new ApiError(response.status, messageOf(response, body, errors), {
    ...(typeof code === 'string' && { code }),
    errors,
    requestId,
    retryAfterMs,
  });
}

/** Prefers the violations' own messages: `detail` prefixes them with JSON pointers. */
function messageOf({ status }: Response, body: unknown, violations: readonly Violation[]): string {
  const detail = member(body, 'detail');
  const message = messagesOf(violations) ?? detail;
  return typeof message === 'string' ? message : text('error.status', { status: String(status) });
}

function readViolations(value: unknown): Violation[] {
  return Array.isArray(value) ? value.filter(isViolation) : [];
}

function isViolation(value: unknown): value is Violation {
  return ['field', 'code', 'message'].every((name) => typeof member(value, name) === 'string');
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const SECOND_MS = 1000;

/**
 * Parses Retry-After: seconds, or a date (RFC 9110 section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns milliseconds; `undefined` if the header is missing or malformed
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
