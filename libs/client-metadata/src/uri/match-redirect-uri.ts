import { isLoopbackAddress } from '@svc/foundation';
import type { RuleViolation } from '@svc/foundation';
import { quote } from '../violations/violation.js';
import { effectivePort, isPort } from './host.js';
import { NO_DANGEROUS_SCHEME, NOT_ABSOLUTE } from './validate-redirect-uri.js';
import { nearMiss } from './near-miss.js';
import { responseParametersIn } from './response-parameters.js';
import { splitUri } from './split-uri.js';
import {
  CHARACTER_CODES,
  CLEAN_URI_RULES,
  HOST_PRESENT,
  NO_FRAGMENT,
  uriCharacterViolations,
  uriViolations,
  type UriRule,
} from './uri-rules.js';

/** Whether a redirect URI matches, and by which rule. */
export interface RedirectMatch {
  readonly matches: boolean;
  /** The matching registered URI. */
  readonly registered?: string;
  /**
   * Stable code: `exact`, `loopback_port`, `prefix` or `unchecked`; otherwise the violated rule, such as `no_match`.
   */
  readonly rule: string;
  readonly message: string;
}

const NO_RESPONSE_PARAMETER: UriRule = {
  code: 'response_parameter',
  message: 'must not carry a parameter of OAuth responses, such as code, state or error, in its query',
  refuses: ({ query }) => responseParametersIn(query).length > 0,
};

const PREFIX_RULES: readonly UriRule[] = [NO_DANGEROUS_SCHEME, ...CLEAN_URI_RULES, NO_RESPONSE_PARAMETER];

const UNCHECKED_RULES: readonly UriRule[] = [NO_DANGEROUS_SCHEME, HOST_PRESENT, NO_FRAGMENT];

/** Codes of what is refused. */
export const MATCH_REFUSALS: readonly string[] = [
  ...CHARACTER_CODES,
  ...[...PREFIX_RULES, ...UNCHECKED_RULES, NOT_ABSOLUTE].map(({ code }) => code),
  'no_match',
];

const EXACT = 'RFC 9700 section 4.1.3';

type Matcher = (requested: string, registered: readonly string[], native: boolean) => RedirectMatch;

const MATCHERS = {
  full_match: fullMatch,
  prefix_match: prefixMatch,
  none: unchecked,
} as const satisfies Readonly<Record<string, Matcher>>;

/**
 * Matches a requested redirect URI against the registered ones.
 *
 * - `full_match`: equal strings (RFC 9700 section 4.1.3); for native Clients, the port of a loopback address is
 *   ignored (RFC 8252 section 7.3).
 * - `prefix_match`: starts with a registered URI, has the same scheme, host and port (even for loopback), and is a
 *   clean URI without OAuth response parameters.
 * - `none`: any absolute URI without a fragment or a dangerous scheme.
 *
 * The last two are not OAuth 2.0 compliant (RFC 9700 section 2.1).
 */
export function matchRedirectUri(
  requested: string,
  registered: readonly string[],
  method: keyof typeof MATCHERS,
  applicationType: string,
): RedirectMatch {
  const matcher: Matcher = MATCHERS[method];
  return matcher(requested, registered, applicationType === 'native');
}

function fullMatch(requested: string, registered: readonly string[], native: boolean): RedirectMatch {
  if (registered.includes(requested)) {
    return matched('exact', requested, `matches a registered URI exactly (${EXACT})`);
  }
  const portless = native ? withoutLoopbackPort(requested) : undefined;
  const found = registered.find((uri) => portless !== undefined && withoutLoopbackPort(uri) === portless);
  if (found !== undefined) {
    return matched(
      'loopback_port',
      found,
      'matches a registered URI except for the loopback port (RFC 8252 section 7.3)',
    );
  }
  return refused({
    code: 'no_match',
    message: `does not match any registered URI (${EXACT})${hint(requested, registered)}`,
  });
}

function prefixMatch(requested: string, registered: readonly string[]): RedirectMatch {
  const violation = firstViolation(requested, PREFIX_RULES);
  if (violation) return refused(violation);
  const found = registered.find((uri) => isPrefix(uri, requested));
  if (found !== undefined)
    return matched('prefix', found, 'begins with a registered URI of the same scheme, host and port');
  return refused({
    code: 'no_match',
    message: 'does not begin with any registered URI of the same scheme, host and port',
  });
}

function unchecked(requested: string): RedirectMatch {
  const violation = firstViolation(requested, UNCHECKED_RULES);
  if (violation) return refused(violation);
  return {
    matches: true,
    rule: 'unchecked',
    message: 'is not checked against the registered URIs: redirect_uri_validation_method is none',
  };
}

/** Only for clean URIs: all parsers agree on their host, so comparing its text is enough. */
function isPrefix(registered: string, requested: string): boolean {
  if (!requested.startsWith(registered)) return false;
  const [a, b] = [splitUri(registered), splitUri(requested)];
  if (!a || !b) return false;
  return a.host === b.host && effectivePort(a.scheme, a.port) === effectivePort(b.scheme, b.port);
}

/** An http loopback URI without its port; undefined for any other URI. */
function withoutLoopbackPort(text: string): string | undefined {
  const { scheme, authority = '', userinfo, host = '', port } = splitUri(text) ?? {};
  if (scheme !== 'http' || !isLoopbackAddress(host) || userinfo !== undefined) return undefined;
  if (port !== undefined && !isPort(port)) return undefined;
  const start = text.indexOf('//') + 2;
  return `${text.slice(0, start)}${host}${text.slice(start + authority.length)}`;
}

function hint(requested: string, registered: readonly string[]): string {
  const near = nearMiss(requested, registered);
  return near ? `; the closest is ${quote(near.registered)} (difference: ${near.difference})` : '';
}

function firstViolation(text: string, rules: readonly UriRule[]): RuleViolation | undefined {
  const [character] = uriCharacterViolations(text);
  if (character) return character;
  const uri = splitUri(text);
  return uri ? uriViolations(uri, rules, undefined)[0] : NOT_ABSOLUTE;
}

function matched(rule: string, registered: string, message: string): RedirectMatch {
  return { matches: true, registered, rule, message };
}

function refused({ code, message }: RuleViolation): RedirectMatch {
  return { matches: false, rule: code, message };
}
