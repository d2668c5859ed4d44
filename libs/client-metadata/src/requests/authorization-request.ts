import { allowedValues, type Capabilities } from '../fields/capabilities.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { MATCH_REFUSALS, matchRedirectUri, type RedirectMatch } from '../uri/match-redirect-uri.js';
import { quote } from '../violations/violation.js';
import { CHALLENGE_RULES, codeChallengeViolation } from './code-challenge.js';

/** One reason to refuse an authorization request. */
export interface RequestViolation {
  /** RFC 6749 section 4.1.2.1. */
  readonly error: 'invalid_request' | 'unauthorized_client' | 'unsupported_response_type';
  /** The violated rule, a stable code. */
  readonly rule: string;
  /** For the developer of the application. */
  readonly error_description: string;
  /** The error must be shown in the server's own page. */
  readonly must_not_redirect?: true;
}

/** The metadata that authorization requests are validated against. */
export type RequestedMetadata = Pick<
  ClientMetadata,
  | 'redirect_uris'
  | 'redirect_uri_validation_method'
  | 'application_type'
  | 'response_types'
  | 'code_challenge_method'
>;

/** Whether a Client may make an authorization request. */
export interface RequestValidation {
  readonly valid: boolean;
  readonly errors: readonly RequestViolation[];
  /** Where to send the response, including errors; absent if it must not redirect. */
  readonly redirect_uri?: string;
  /** How the redirect URI of the request was compared; absent when it has none. */
  readonly redirect_uri_match?: RedirectMatch;
}

/** Parameters of an authorization request; a list where one was sent more than once. */
export type RequestParameters = Readonly<Record<string, string | readonly string[]>>;

type Findings = Omit<RequestValidation, 'valid'>;

/** All that a request may violate. */
export const REQUEST_RULES: ReadonlySet<string> = new Set([
  ...['client_disabled', 'other_client_id', 'unsound_parameter', 'repeated_parameter'],
  ...['redirect_uri_missing', ...MATCH_REFUSALS],
  ...['response_type_missing', 'response_type_not_registered', 'response_type_unsupported'],
  ...CHALLENGE_RULES,
]);

/** Parameters that identify the Client and the recipient of the response; a request may not repeat them. */
const TARGET_PARAMETERS = ['client_id', 'redirect_uri'];

/** Parameters that a specification lets a request repeat: RFC 8707 section 2. */
const REPEATABLE = ['resource'];

/**
 * Validates an authorization request against the Client's registration. What the authorization server decides itself
 * (scopes, prompts, the user) is not checked; unknown parameters are ignored, and those without a value count as omitted (RFC
 * 6749 section 3.1).
 */
export function validateAuthorizationRequest(
  request: RequestParameters,
  clientId: string,
  metadata: RequestedMetadata,
  capabilities: Capabilities,
): RequestValidation {
  const repeated = Object.keys(request).filter(
    (name) => typeof request[name] !== 'string' && !REPEATABLE.includes(name),
  );
  const target = repeated.some((name) => TARGET_PARAMETERS.includes(name))
    ? {}
    : validateTarget(request, clientId, metadata);
  const errors = [
    ...repeated.map(repeatedError),
    ...Object.entries(request).flatMap(unsoundTextErrors),
    ...(target.errors ?? []),
    ...responseTypeErrors(single(request, 'response_type'), metadata, capabilities),
    ...challengeErrors(request, metadata),
  ];
  const redirectable = errors.every(({ must_not_redirect: not }) => not === undefined);
  return {
    valid: errors.length === 0,
    errors,
    ...(redirectable && target.redirect_uri !== undefined && { redirect_uri: target.redirect_uri }),
    ...(target.redirect_uri_match && { redirect_uri_match: target.redirect_uri_match }),
  };
}

/** The result for a disabled Client: no redirect (RFC 6749 section 4.1.2.1). */
export const DISABLED_CLIENT: RequestValidation = {
  valid: false,
  errors: [
    {
      error: 'unauthorized_client',
      rule: 'client_disabled',
      error_description: 'the client is disabled',
      must_not_redirect: true,
    },
  ],
};

/** Later readers may cut a text at NUL, or let `__proto__` replace a prototype. */
function unsoundTextErrors([name, value]: [string, string | readonly string[]]): RequestViolation[] {
  const isUnsound = (text: string) => text.includes('\0') || /\p{Surrogate}/u.test(text);
  const shown = shownName(name);
  if (name === '__proto__') return [invalid('unsound_parameter', `no parameter may be named ${shown}`)];
  if (![name, ...[value].flat()].some(isUnsound)) return [];
  const description = `${shown} contains a NUL character, or half a surrogate pair`;
  return [(TARGET_PARAMETERS.includes(name) ? fatal : invalid)('unsound_parameter', description)];
}

/** Quoted where it could mislead or is long. */
function shownName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quote(name);
}

function repeatedError(name: string): RequestViolation {
  const description = `${shownName(name)} is given more than once (RFC 6749 section 3.1)`;
  return (TARGET_PARAMETERS.includes(name) ? fatal : invalid)('repeated_parameter', description);
}

/** The Client and its redirect URI: errors in either must not be redirected. */
function validateTarget(
  request: RequestParameters,
  clientId: string,
  metadata: RequestedMetadata,
): Partial<Findings> {
  const asked = single(request, 'client_id');
  const requested = single(request, 'redirect_uri');
  const foreign =
    asked !== undefined && asked !== clientId
      ? [fatal('other_client_id', 'client_id belongs to another client')]
      : [];
  if (requested === undefined) return onlyRegistered(metadata, foreign);
  const {
    redirect_uris: registered,
    redirect_uri_validation_method: method,
    application_type: type,
  } = metadata;
  const match = matchRedirectUri(requested, registered, method, type);
  const refused = match.matches ? [] : [fatal(match.rule, `redirect_uri ${match.message}`)];
  return { redirect_uri: requested, redirect_uri_match: match, errors: [...foreign, ...refused] };
}

/** Without a redirect URI the only registered one is used (RFC 6749 section 3.1.2.3). */
function onlyRegistered(metadata: RequestedMetadata, errors: RequestViolation[]): Partial<Findings> {
  const [only, ...others] = metadata.redirect_uris;
  if (only !== undefined && others.length === 0 && metadata.redirect_uri_validation_method === 'full_match') {
    return { redirect_uri: only, errors };
  }
  return {
    errors: [
      ...errors,
      fatal(
        'redirect_uri_missing',
        'redirect_uri is missing, and the client has no default; the request must contain it (RFC 6749 section 3.1.2.3)',
      ),
    ],
  };
}

function responseTypeErrors(
  given: string | undefined,
  metadata: RequestedMetadata,
  capabilities: Capabilities,
): RequestViolation[] {
  if (given === undefined)
    return [invalid('response_type_missing', 'response_type is missing (RFC 6749 section 3.1.1)')];
  const type = sortWords(given);
  if (metadata.response_types.some((registered) => sortWords(registered) === type)) return [];
  const supported = RESPONSE_TYPES && allowedValues(RESPONSE_TYPES, capabilities);
  if (supported?.some((known) => sortWords(known) === type)) {
    return [
      {
        error: 'unauthorized_client',
        rule: 'response_type_not_registered',
        error_description: 'the client is not registered for this response_type',
      },
    ];
  }
  return [
    {
      error: 'unsupported_response_type',
      rule: 'response_type_unsupported',
      error_description: 'the response_type is not supported here',
    },
  ];
}

const RESPONSE_TYPES = CLIENT_FIELDS.find(({ name }) => name === 'response_types');

function challengeErrors(request: RequestParameters, metadata: RequestedMetadata): RequestViolation[] {
  const challenge = single(request, 'code_challenge');
  const method = single(request, 'code_challenge_method');
  const responseType = single(request, 'response_type');
  // A challenge binds a code (RFC 7636 section 4.4): where none is returned, only what is sent is validated.
  const isNeedless = challenge === undefined && responseType !== undefined && !includesCode(responseType);
  const required = isNeedless ? 'none' : metadata.code_challenge_method;
  const violation = codeChallengeViolation({ challenge, method }, required);
  return violation === undefined ? [] : [invalid(violation.code, violation.message)];
}

/** Whether the response contains an authorization code. */
export function includesCode(responseType: string): boolean {
  return responseType.split(' ').includes('code');
}

/** The words of a response type mean the same in any order (OAuth 2.0 Multiple Response Types section 3). */
export function sortWords(responseType: string): string {
  return responseType.split(' ').sort().join(' ');
}

/** The first value of a repeated parameter, which is reported separately; undefined if it is empty (RFC 6749 section 3.1). */
export function single(request: RequestParameters, name: string): string | undefined {
  const value = Object.hasOwn(request, name) ? request[name] : undefined;
  return (typeof value === 'string' ? value : value?.[0]) || undefined;
}

function invalid(rule: string, description: string): RequestViolation {
  return { error: 'invalid_request', rule, error_description: description };
}

function fatal(rule: string, description: string): RequestViolation {
  return { ...invalid(rule, description), must_not_redirect: true };
}
