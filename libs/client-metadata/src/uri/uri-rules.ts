import type { RuleViolation } from '@svc/foundation';
import { isHost, isPort } from './host.js';
import { decodeFully } from './percent-encoding.js';
import type { UriParts } from './split-uri.js';

/** A rule with its message. */
export interface UriRule<Context = void> {
  readonly code: string;
  /** Starts with a verb; the caller prepends the subject. */
  readonly message: string;
  readonly refuses: (uri: UriParts, context: Context) => boolean;
}

/** Characters not allowed in a URI (RFC 3986 section 2), checked on the raw text. */
const CHARACTER_RULES: readonly {
  readonly code: string;
  readonly message: string;
  readonly pattern: RegExp;
}[] = [
  {
    code: 'uri_control_character',
    message: 'must not contain a control character (RFC 3986 section 2)',
    pattern: /[\0-\x1f\x7f-\x9f]/,
  },
  {
    code: 'uri_space',
    message: 'must not contain a space, nor begin or end with one (RFC 3986 section 2)',
    pattern: /[ \u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/,
  },
  {
    code: 'uri_backslash',
    message: 'must not contain a backslash: some parsers read it as a slash (RFC 3986 section 2)',
    pattern: /\\/,
  },
  {
    code: 'uri_not_ascii',
    message:
      'must contain only ASCII characters: write host names in their xn-- form and percent-encode the rest (RFC 3986 section 2)',
    pattern: /[^\0-\x7f]/,
  },
  {
    code: 'uri_character',
    message: 'must not contain any of < > " { } | ^ ` unless percent-encoded (RFC 3986 section 2)',
    pattern: /[<>"{}|^`]/,
  },
  {
    code: 'uri_percent_encoding',
    message: 'has a % that is not followed by two hexadecimal digits (RFC 3986 section 2.1)',
    pattern: /%(?![0-9A-Fa-f]{2})/,
  },
];

export const CHARACTER_CODES = CHARACTER_RULES.map(({ code }) => code);

/** Violations of the character rules. */
export function uriCharacterViolations(text: string): RuleViolation[] {
  return CHARACTER_RULES.filter(({ pattern }) => pattern.test(text)).map(({ code, message }) => ({
    code,
    message,
  }));
}

export const NO_BRACKET: UriRule = {
  code: 'uri_bracket',
  message: 'must not contain [ or ] outside an IPv6 address unless percent-encoded (RFC 3986 section 3.2.2)',
  refuses: ({ path, query, fragment }) => /[[\]]/.test(`${path}${query ?? ''}${fragment ?? ''}`),
};

export const NO_ENCODED_CONTROL: UriRule = {
  code: 'uri_encoded_control_character',
  message:
    'must not contain a percent-encoded control character, such as a line break (RFC 9110 section 5.5)',
  refuses: ({ text }) => /[\0-\x1f\x7f]/.test(decodeFully(text)),
};

export const NO_FRAGMENT: UriRule = {
  code: 'uri_fragment',
  message: 'must not have a fragment, not even an empty one (RFC 6749 section 3.1.2)',
  refuses: ({ fragment }) => fragment !== undefined,
};

export const NO_USERINFO: UriRule = {
  code: 'uri_userinfo',
  message: 'must not have a user name or password before the host (RFC 9110 section 4.2.4)',
  refuses: ({ userinfo }) => userinfo !== undefined,
};

export const NO_DOT_SEGMENT: UriRule = {
  code: 'uri_dot_segment',
  message: 'must not have a . or .. segment in its path, however encoded (RFC 3986 section 6.2.2.3)',
  refuses: ({ path }) => segmentsOf(path).some((segment) => segment === '.' || segment === '..'),
};

export const NO_WILDCARD: UriRule = {
  code: 'uri_wildcard',
  message: 'must not contain a *: there are no wildcards, register each URI in full (RFC 9700 section 4.1.3)',
  refuses: ({ text }) => text.includes('*'),
};

export const HOST_PRESENT: UriRule = {
  code: 'uri_host_missing',
  message: 'must name a host after // (RFC 9110 section 4.2)',
  refuses: ({ scheme, host }) => isWeb(scheme) && host === '',
};

export const HOST_VALID: UriRule = {
  code: 'uri_host',
  message:
    'has a host that is not a host name, IPv4 address or bracketed IPv6 address (RFC 3986 section 3.2.2)',
  refuses: ({ scheme, host, port }) =>
    isWeb(scheme) ? host !== '' && !isHost(host) : isMalformedAuthority(host, port),
};

export const PORT_VALID: UriRule = {
  code: 'uri_port',
  message: 'has a port that is not a number from 0 to 65535 without leading zeros (RFC 3986 section 3.2.3)',
  refuses: ({ port }) => port !== undefined && !isPort(port),
};

/** Rules for every web URI. */
export const WEB_URI_RULES: readonly UriRule[] = [
  NO_BRACKET,
  NO_ENCODED_CONTROL,
  NO_USERINFO,
  HOST_PRESENT,
  HOST_VALID,
  PORT_VALID,
];

/** Rules for redirect URIs, registered or requested, which ensure that all parties interpret them alike. */
export const CLEAN_URI_RULES: readonly UriRule[] = [
  ...WEB_URI_RULES,
  NO_FRAGMENT,
  NO_DOT_SEGMENT,
  NO_WILDCARD,
];

/** True for http and https, whose URIs always have a host. */
export function isWeb(scheme: string): boolean {
  return scheme === 'http' || scheme === 'https';
}

/** Applies the rules in order. */
export function uriViolations<Context>(
  uri: UriParts,
  rules: readonly UriRule<Context>[],
  context: Context,
): RuleViolation[] {
  return rules.filter(({ refuses }) => refuses(uri, context)).map(({ code, message }) => ({ code, message }));
}

/** Never valid after `//`: brackets around anything but an IPv6 address, or a port without a host. */
function isMalformedAuthority(host: string, port: string | undefined): boolean {
  return host === '' ? port !== undefined : /[[\]]/.test(host) && !isHost(host);
}

/**
 * A path's segments as servers may interpret them: decoded, split at both slashes, without path parameters (`..;x`).
 */
function segmentsOf(path: string): string[] {
  return decodeFully(path)
    .split(/[/\\]/)
    .map((segment) => segment.replace(/;.*$/s, ''));
}
