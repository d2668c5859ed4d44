import { isLoopbackHost } from '@svc/foundation';
import type { RuleViolation } from '@svc/foundation';
import { splitUri } from './split-uri.js';
import { CLEAN_URI_RULES, isWeb, uriCharacterViolations, uriViolations, type UriRule } from './uri-rules.js';

/** The context in which a redirect URI is validated. */
export interface RedirectUriContext {
  /** As given: it may be invalid itself. */
  readonly applicationType: unknown;
  readonly capabilities: {
    /** Hosts, besides loopback, that may use plain http: lower case, without a port. */
    readonly http_redirect_hosts: readonly string[];
  };
}

/**
 * Schemes that execute or display the URI's content, wrap another URI (`view-source:`, `feed:`, `jar:`), start other
 * programs (`intent:`), or open local resources.
 */
const DANGEROUS_SCHEMES: ReadonlySet<string> = new Set([
  ...['javascript', 'data', 'vbscript', 'livescript', 'mocha', 'jscript', 'vbs'],
  ...['file', 'filesystem', 'blob', 'content', 'res', 'resource', 'mk', 'mhtml', 'ms-its', 'its', 'shell'],
  ...[
    'about',
    'chrome',
    'chrome-extension',
    'moz-extension',
    'safari-web-extension',
    'edge',
    'opera',
    'wyciwyg',
  ],
  ...['view-source', 'jar', 'feed', 'pcast', 'intent', 'android-app', 'devtools', 'search-ms', 'ms-msdt'],
]);

export const NOT_ABSOLUTE: RuleViolation = {
  code: 'uri_not_absolute',
  message: 'must be an absolute URI, beginning with a scheme such as https: (RFC 6749 section 3.1.2)',
};

export const NO_DANGEROUS_SCHEME: UriRule = {
  code: 'uri_dangerous_scheme',
  message:
    'must not have a scheme that leads to scripts or files, such as javascript, data, file or view-source (RFC 8252 section 7.1)',
  refuses: ({ scheme }) => DANGEROUS_SCHEMES.has(scheme),
};

/** Schemes and hosts allowed by application type; checked only at registration. */
const REGISTRATION_RULES: readonly UriRule<RedirectUriContext>[] = [
  {
    code: 'uri_scheme_of_web_client',
    message:
      'must have the scheme https for a client of application_type web (OpenID Connect Registration section 2)',
    refuses: ({ scheme }, { applicationType }) =>
      applicationType !== 'native' && !isWeb(scheme) && !DANGEROUS_SCHEMES.has(scheme),
  },
  {
    code: 'uri_private_scheme',
    message:
      'must have https, loopback http, or a private-use scheme with a period in it (RFC 8252 sections 7.1, 8.4)',
    refuses: ({ scheme }, { applicationType }) =>
      applicationType === 'native' &&
      !isWeb(scheme) &&
      !scheme.includes('.') &&
      !DANGEROUS_SCHEMES.has(scheme),
  },
  {
    code: 'uri_plain_http',
    message:
      'must have the scheme https: http is for localhost, 127.0.0.0/8 and [::1] only (RFC 9700 section 2.6)',
    refuses: ({ scheme, host }, { capabilities }) =>
      scheme === 'http' &&
      host !== '' &&
      !isLoopbackHost(host) &&
      !capabilities.http_redirect_hosts.includes(host.toLowerCase()),
  },
];

/**
 * Validates a redirect URI for registration (RFC 6749 section 3.1.2, RFC 8252 sections 7 and 8, RFC 9700 sections
 * 2.1, 2.6 and 4.1.3).
 *
 * @returns every violation; messages start with a verb
 */
export function validateRedirectUri(uri: string, context: RedirectUriContext): RuleViolation[] {
  const characters = uriCharacterViolations(uri);
  if (characters.length > 0) return characters;
  const parts = splitUri(uri);
  if (!parts) return [NOT_ABSOLUTE];
  return [
    ...uriViolations(parts, [NO_DANGEROUS_SCHEME, ...CLEAN_URI_RULES], undefined),
    ...uriViolations(parts, REGISTRATION_RULES, context),
  ];
}
