import { isLoopbackHost, type RuleViolation } from '@svc/foundation';
import { NOT_ABSOLUTE } from './validate-redirect-uri.js';
import { splitUri } from './split-uri.js';
import {
  isWeb,
  NO_FRAGMENT,
  uriCharacterViolations,
  uriViolations,
  WEB_URI_RULES,
  type UriRule,
} from './uri-rules.js';

const WEB_SCHEME: UriRule = {
  code: 'uri_scheme',
  message: 'must have the scheme https or http',
  refuses: ({ scheme }) => !isWeb(scheme),
};

const ENDPOINT_WITHOUT_FRAGMENT: UriRule = {
  ...NO_FRAGMENT,
  message: 'must not have a fragment: it is an endpoint',
};

const ENCRYPTED: UriRule = {
  code: 'uri_not_https',
  message:
    'must be https, except on a loopback host: anyone who can change the keys can impersonate the client',
  refuses: ({ scheme, host }) => scheme === 'http' && !isLoopbackHost(host),
};

/** Validates a URL shown as a link or opened in a browser: any http or https URI with a host. */
export function validateWebUri(uri: string): RuleViolation[] {
  return validate(uri, [WEB_SCHEME, ...WEB_URI_RULES]);
}

/** Validates a URL that requests are sent to: a web URI without a fragment. */
export function validateEndpointUri(uri: string): RuleViolation[] {
  return validate(uri, [WEB_SCHEME, ...WEB_URI_RULES, ENDPOINT_WITHOUT_FRAGMENT]);
}

/** Validates a URL that public keys are fetched from. */
export function validateKeysUri(uri: string): RuleViolation[] {
  return validate(uri, [WEB_SCHEME, ENCRYPTED, ...WEB_URI_RULES, ENDPOINT_WITHOUT_FRAGMENT]);
}

function validate(uri: string, rules: readonly UriRule[]): RuleViolation[] {
  const characters = uriCharacterViolations(uri);
  if (characters.length > 0) return characters;
  const parts = splitUri(uri);
  return parts ? uriViolations(parts, rules, undefined) : [NOT_ABSOLUTE];
}
