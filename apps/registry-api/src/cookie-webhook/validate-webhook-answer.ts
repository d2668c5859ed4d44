import { JsonBodyError, parseJson, type Violation } from '@svc/service-kit';
import type { CallAnswer } from '../outgoing/call-host.js';
import { pointerTo } from '@svc/client-metadata';
import { isJsonObject } from '@svc/foundation';

/** The cookies of a webhook's answer, and its problems. */
export interface WebhookValidation {
  /** Absent if the answer is not a JSON object. */
  readonly cookies?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Violation[];
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i;

/** Validates the answer of a cookie webhook, which must be a success with a JSON object of cookie names and values. */
export function validateWebhookAnswer(answer: CallAnswer, context: CookieContext): WebhookValidation {
  const violation = statusViolation(answer.status);
  if (violation) return { problems: [violation] };
  const type = JSON_TYPE.test(answer.contentType)
    ? []
    : [problem('content_type', 'the response has a Content-Type other than application/json')];
  try {
    const cookies = parseJson(answer.body);
    if (!isJsonObject(cookies))
      return { problems: [...type, problem('type', 'the response is not a JSON object')] };
    return { cookies, problems: [...type, ...cookieProblems(cookies, context)] };
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    return { problems: [...type, problem('json', `the response cannot be read: ${error.message}`)] };
  }
}

function statusViolation(status: number): Violation | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    return problem('redirect', `the webhook returned ${status}; redirects are not followed`);
  }
  return problem('status', `the webhook returned ${status} instead of 200`);
}

function problem(code: string, message: string): Violation {
  return { field: '', code, message };
}

/** The Client whose cookies are validated. */
export interface CookieContext {
  /** The Client's session cookie. */
  readonly cookieName: string;
  /** Prefix of the session cookies of all clients; an underscore follows it. */
  readonly cookiePrefix: string;
  readonly cookieDomain?: string | undefined;
}

/** `token` (RFC 6265 section 4.1.1, RFC 2616 section 2.2). */
const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** `*cookie-octet / ( DQUOTE *cookie-octet DQUOTE )` (RFC 6265 section 4.1.1). */
const COOKIE_VALUE = /^("?)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\1$/;

/** Every browser stores at least this many bytes per cookie, and cookies per domain (RFC 6265 section 6.1). */
const MAX_COOKIE_BYTES = 4_096;
const MAX_COOKIES = 50;

/** One rule for one cookie. */
interface CookieRule {
  readonly code: string;
  readonly message: string;
  readonly breaks: (name: string, value: unknown, context: CookieContext) => boolean;
}

const RULES: readonly CookieRule[] = [
  {
    code: 'cookie_name',
    message: 'is not a cookie name (a token, RFC 6265 section 4.1.1)',
    breaks: (name) => !COOKIE_NAME.test(name),
  },
  {
    code: 'session_cookie',
    message: 'is the name of a session cookie, which only the authorization server may set',
    breaks: (name, _value, context) => isSessionCookie(name.toLowerCase(), context),
  },
  {
    code: 'cookie_value_type',
    message: 'has a value that is not a string',
    breaks: (_name, value) => typeof value !== 'string',
  },
  {
    code: 'cookie_value',
    message:
      'has a value with a character that cookies cannot hold: a space, comma, semicolon, backslash, quote, control or non-ASCII character (RFC 6265 section 4.1.1)',
    breaks: (_name, value) => typeof value === 'string' && !COOKIE_VALUE.test(value),
  },
  {
    code: 'cookie_size',
    message: `is larger than ${MAX_COOKIE_BYTES} bytes, name and value together (RFC 6265 section 6.1)`,
    breaks: (name, value) =>
      typeof value === 'string' && Buffer.byteLength(name) + Buffer.byteLength(value) > MAX_COOKIE_BYTES,
  },
  {
    code: 'host_prefix',
    message: 'begins with __Host-, so browsers drop it when it is set for a cookie_domain',
    breaks: (name, _value, { cookieDomain }) => /^__host-/i.test(name) && cookieDomain !== undefined,
  },
];

/** The problems of the cookies that a webhook returned; `field` points into its answer. */
export function cookieProblems(
  cookies: Readonly<Record<string, unknown>>,
  context: CookieContext,
): Violation[] {
  const entries = Object.entries(cookies);
  const problems = entries.flatMap(([name, value]) =>
    RULES.filter(({ breaks }) => breaks(name, value, context)).map(({ code, message }) => ({
      field: pointerTo(name),
      code,
      message: `the cookie ${message}`,
    })),
  );
  if (entries.length <= MAX_COOKIES) return problems;
  const message = `there are more than ${MAX_COOKIES} cookies, which browsers need not keep (RFC 6265 section 6.1)`;
  return [...problems, { field: '', code: 'cookie_count', message }];
}

/** Case-insensitive, because some servers and proxies treat cookie names so. */
function isSessionCookie(name: string, { cookieName, cookiePrefix }: CookieContext): boolean {
  return name === cookieName.toLowerCase() || name.startsWith(`${cookiePrefix.toLowerCase()}_`);
}
