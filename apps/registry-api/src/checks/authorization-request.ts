import {
  allowedValues,
  type Capabilities,
  CLIENT_FIELDS,
  type ClientMetadata,
  matchRedirectUri,
  quote,
  type CodeChallengeMethod,
} from '@svc/client-metadata';
import type { AuthorizationRequestCheck, RequestError } from './checks.dto.js';

/** Parameters of an authorization request; a list where one was sent more than once. */
export type RequestParameters = Readonly<Record<string, string | readonly string[]>>;

type Findings = Omit<AuthorizationRequestCheck, 'valid'>;

/** Parameters that identify the Client and where the answer goes; a request may not repeat them. */
const TARGET_PARAMETERS = ['client_id', 'redirect_uri'];

/**
 * Validates an authorization request against the Client's registration. What the authorization server decides itself
 * (scopes, prompts, the user) is not checked; unknown parameters are ignored (RFC 6749 section 3.1).
 */
export function validateAuthorizationRequest(
  request: RequestParameters,
  clientId: string,
  metadata: ClientMetadata,
  capabilities: Capabilities,
): AuthorizationRequestCheck {
  const repeated = Object.keys(request).filter((name) => typeof request[name] !== 'string');
  const target = repeated.some((name) => TARGET_PARAMETERS.includes(name))
    ? {}
    : validateTarget(request as Readonly<Record<string, string>>, clientId, metadata);
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
export const DISABLED_CLIENT: AuthorizationRequestCheck = {
  valid: false,
  errors: [
    {
      error: 'unauthorized_client',
      error_description: 'the Client is disabled',
      must_not_redirect: true,
    },
  ],
};

/** Later readers may cut a text at NUL, or let `__proto__` replace a prototype. */
function unsoundTextErrors([name, value]: [string, string | readonly string[]]): RequestError[] {
  const isUnsound = (text: string) => text.includes('\0') || /\p{Surrogate}/u.test(text);
  const shown = shownName(name);
  if (name === '__proto__') return [invalid(`no parameter may be named ${shown}`)];
  if (![name, ...[value].flat()].some(isUnsound)) return [];
  const description = `${shown} holds a NUL character, or half a surrogate pair`;
  return [TARGET_PARAMETERS.includes(name) ? fatal(description) : invalid(description)];
}

/** Quoted where it could mislead or is long. */
function shownName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quote(name);
}

function repeatedError(name: string): RequestError {
  const description = `${shownName(name)} is given more than once (RFC 6749 section 3.1)`;
  return TARGET_PARAMETERS.includes(name) ? fatal(description) : invalid(description);
}

/** The Client and its redirect URI: errors in either must not be redirected. */
function validateTarget(
  request: Readonly<Record<string, string>>,
  clientId: string,
  metadata: ClientMetadata,
): Partial<Findings> {
  const { client_id: asked, redirect_uri: requested } = request;
  const foreign =
    asked !== undefined && asked !== clientId ? [fatal('client_id is that of another Client')] : [];
  if (requested === undefined) return onlyRegistered(metadata, foreign);
  const {
    redirect_uris: registered,
    redirect_uri_validation_method: method,
    application_type: type,
  } = metadata;
  const match = matchRedirectUri(requested, registered, method, type);
  const refused = match.matches ? [] : [fatal(`redirect_uri ${match.message}`)];
  return { redirect_uri: requested, redirect_uri_match: match, errors: [...foreign, ...refused] };
}

/** Without a redirect URI the only registered one is used (RFC 6749 section 3.1.2.3). */
function onlyRegistered(metadata: ClientMetadata, errors: RequestError[]): Partial<Findings> {
  const [only, ...others] = metadata.redirect_uris;
  if (only !== undefined && others.length === 0 && metadata.redirect_uri_validation_method === 'full_match') {
    return { redirect_uri: only, errors };
  }
  return {
    errors: [
      ...errors,
      fatal('redirect_uri is missing, and it is not clear which one is meant (RFC 6749 section 3.1.2.3)'),
    ],
  };
}

function responseTypeErrors(
  given: string | undefined,
  metadata: ClientMetadata,
  capabilities: Capabilities,
): RequestError[] {
  if (given === undefined || given === '')
    return [invalid('response_type is missing (RFC 6749 section 3.1.1)')];
  const type = sortWords(given);
  if (metadata.response_types.some((registered) => sortWords(registered) === type)) return [];
  const supported = RESPONSE_TYPES && allowedValues(RESPONSE_TYPES, capabilities);
  if (supported?.some((known) => sortWords(known) === type)) {
    return [
      {
        error: 'unauthorized_client',
        error_description: 'the Client is not registered for this response_type',
      },
    ];
  }
  return [
    { error: 'unsupported_response_type', error_description: 'the response_type is not supported here' },
  ];
}

const RESPONSE_TYPES = CLIENT_FIELDS.find(({ name }) => name === 'response_types');

function challengeErrors(request: RequestParameters, metadata: ClientMetadata): RequestError[] {
  const challenge = single(request, 'code_challenge');
  const method = single(request, 'code_challenge_method');
  const violation = codeChallengeViolation({ challenge, method }, metadata.code_challenge_method);
  return violation === undefined ? [] : [invalid(violation)];
}

/** The words of a response type mean the same in any order (OAuth 2.0 Multiple Response Types section 3). */
function sortWords(responseType: string): string {
  return responseType.split(' ').sort().join(' ');
}

/** The first value of a repeated parameter, which is reported separately. */
function single(request: RequestParameters, name: string): string | undefined {
  const value = Object.hasOwn(request, name) ? request[name] : undefined;
  return typeof value === 'string' ? value : value?.[0];
}

function invalid(description: string): RequestError {
  return { error: 'invalid_request', error_description: description };
}

function fatal(description: string): RequestError {
  return { ...invalid(description), must_not_redirect: true };
}

/** The PKCE parameters of an authorization request (RFC 7636 section 4.3). */
interface CodeChallenge {
  readonly challenge: string | undefined;
  readonly method: string | undefined;
}

/** `43*128unreserved` (RFC 7636 section 4.2). */
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;

/** A SHA-256 in base64url without padding. */
const S256_CHALLENGE = /^[A-Za-z0-9\-_]{43}$/;

/**
 * @param required the Client's method; `none` does not require PKCE, but what is sent must be valid
 * @returns what is wrong, for the developer of the application; `undefined` when nothing is
 */
export function codeChallengeViolation(
  { challenge, method }: CodeChallenge,
  required: CodeChallengeMethod,
): string | undefined {
  if (challenge === undefined) return missingChallengeViolation(method, required);
  // Without a method it is plain (RFC 7636 section 4.3).
  const used = method ?? 'plain';
  if (used !== 'plain' && used !== 'S256')
    return 'the code_challenge_method is neither plain nor S256 (RFC 7636 section 4.3)';
  if (required !== 'none' && used !== required) {
    return `the Client must use the code_challenge_method ${required}, and ${method === undefined ? 'without one it is plain' : `not ${used}`}`;
  }
  const isSound = used === 'S256' ? S256_CHALLENGE.test(challenge) : CHALLENGE.test(challenge);
  if (isSound) return undefined;
  return used === 'S256'
    ? 'the code_challenge is not a SHA-256 in base64url, which has 43 characters (RFC 7636 section 4.2)'
    : 'the code_challenge is not 43 to 128 of the characters A-Z a-z 0-9 - . _ ~ (RFC 7636 section 4.2)';
}

function missingChallengeViolation(
  method: string | undefined,
  required: CodeChallengeMethod,
): string | undefined {
  if (required !== 'none')
    return `the code_challenge is missing; the Client must use ${required} (RFC 7636 section 4.4.1)`;
  return method === undefined
    ? undefined
    : 'the code_challenge_method is sent without a code_challenge (RFC 7636 section 4.3)';
}
