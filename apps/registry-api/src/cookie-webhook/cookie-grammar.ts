import { pointerTo } from '@svc/client-metadata';
import type { Violation } from '@svc/service-kit';

/** The Client whose cookies are validated. */
export interface CookieContext {
  /** The Client's session cookie. */
  readonly cookieName: string;
  /** What the names of all Clients' session cookies begin with, before an underscore. */
  readonly cookiePrefix: string;
  readonly cookieDomain?: string | undefined;
}

/** `token` (RFC 6265 section 4.1.1, RFC 2616 section 2.2). */
const COOKIE_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** `*cookie-octet / ( DQUOTE *cookie-octet DQUOTE )` (RFC 6265 section 4.1.1). */
const COOKIE_VALUE = /^("?)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\1$/;

/** What every user agent stores of one cookie, in bytes, and of one domain (RFC 6265 section 6.1). */
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
    message: 'is the name of a session cookie, which the authorization server alone sets',
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

/** What is wrong with cookies that a webhook wants to have set; `field` points into its answer. */
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

/** In any case of letters: some servers and proxies take cookie names as such. */
function isSessionCookie(name: string, { cookieName, cookiePrefix }: CookieContext): boolean {
  return name === cookieName.toLowerCase() || name.startsWith(`${cookiePrefix.toLowerCase()}_`);
}
