import { text } from '../texts/text.js';

/** One thing wrong with a request: where, by which rule, and the rule for people. */
export interface Violation {
  /** A JSON pointer into the body, such as `/redirect_uris/1`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** What an answer tells beside its status and its message. */
interface ApiErrorDetails {
  /** OAuth's code, such as `insufficient_scope`. */
  readonly code?: string | undefined;
  readonly errors?: readonly Violation[];
  /** Finds the request in the service's log. */
  readonly requestId?: string | undefined;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
}

/** The answer of a request that failed. Its message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string | undefined;
  readonly errors: readonly Violation[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    /** HTTP status; 0 when there was no answer at all. */
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

/** What several violations say, as one text; nothing where there are none. */
export function messagesOf(violations: readonly Violation[]): string | undefined {
  return violations.length > 0 ? violations.map(({ message }) => message).join('; ') : undefined;
}

/** Reads problem+json (RFC 9457); any other body counts as none. */
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

/** The violations in their own words where there are some: `detail` puts pointers before them, which are for programs. */
function messageOf({ status }: Response, body: unknown, violations: readonly Violation[]): string {
  const detail = member(body, 'detail');
  const said = messagesOf(violations) ?? detail;
  return typeof said === 'string' ? said : text('error.status', { status: String(status) });
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
 * How long the header Retry-After asks to wait: it holds seconds, or a date (RFC 9110 section 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns milliseconds; nothing when it says nothing that can be read
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
