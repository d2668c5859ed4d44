import type { RuleViolation } from '@svc/foundation';
import { decodeFully } from '../uri/percent-encoding.js';
import { type RequestParameters, single } from './authorization-request.js';

/** An authorization request, as read from its URL. */
export interface AuthorizationUrl {
  readonly clientId: string;
  readonly parameters: RequestParameters;
  /** Possible reasons for a rejection that the check does not cover. */
  readonly notes: readonly RuleViolation[];
}

/** Parameters whose values a check needs; of `request` and `request_uri`, it counts whether they have one, of others the names. */
const NEEDED = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
]);

/** With these, the request's parameters are not in the URL; their values may identify users. */
const ELSEWHERE = {
  request_uri:
    'does not contain the parameters of this request: the application has pushed them (RFC 9126). Ask its developer for them, and paste ?client_id=…&redirect_uri=… with their values',
  request:
    'has its parameters inside a request object (RFC 9101), which is not read. Paste ?client_id=…&redirect_uri=… with the values in that object',
} as const;

const RESPONSE_MODES = /^(query|fragment|form_post|web_message|((query|fragment|form_post)\.)?jwt)$/;

/** Replaces an omitted value that contains it, so that the check still refuses the request. */
const UNSOUND = '\0';

/** Replaces a value where it matters that there is one. */
const GIVEN = '-';

/**
 * Reads the address of an authorization request as a browser shows it, or its query alone. Values that no check needs, such
 * as state, are left out: only names are kept.
 *
 * @returns a violation if it contains nothing to check
 */
export function parseAuthorizationUrl(text: string): AuthorizationUrl | RuleViolation {
  const [address, fragment] = splitOnce(trimmed(text), '#');
  const query = queryOf(address);
  if (query === undefined) return NOT_A_URL;
  const parameters = neededParameters(query);
  const clientId = single(parameters, 'client_id');
  if (clientId === undefined) return missingClientId(query, parameters, fragment);
  for (const [name, message] of Object.entries(ELSEWHERE)) {
    if (Object.hasOwn(parameters, name)) return { code: name, message };
  }
  return { clientId, parameters, notes: notesOn(parameters, fragment) };
}

/**
 * The part of an authorization request's address that `parseAuthorizationUrl` reads: its query without the values that no
 * check needs. Nothing else has to leave the user's machine.
 */
export function neededPart(text: string): string {
  const [address, fragment] = splitOnce(trimmed(text), '#');
  const query = queryOf(address);
  if (query === undefined) return 'not a URL';
  return `?${withNeededValues(query)}${fragment === undefined ? '' : `#${withNeededValues(fragment)}`}`;
}

const NOT_A_URL: RuleViolation = {
  code: 'not_a_url',
  message: 'is not a URL: paste the whole address of the authorization request, from https:// to its end',
};

/** Mail programs wrap addresses into `<>`, shells into quotes, and both into lines. */
function trimmed(text: string): string {
  const lines = text.split(/[\r\n]/);
  const oneLine = lines.map((line) => line.trim()).join('');
  return /^(<.*>|".*"|'.*')$/s.test(oneLine) ? oneLine.slice(1, -1).trim() : oneLine;
}

/** Without `?`, empty when there is none; undefined: neither an http URL nor a query. */
function queryOf(address: string): string | undefined {
  if (isUrl(address)) return splitOnce(address, '?')[1] ?? '';
  if (address.startsWith('?')) return address.slice(1);
  return /^[\w.%-]+=[^\s]*$/.test(address) ? address : undefined;
}

function isUrl(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function neededParameters(query: string): RequestParameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(withNeededValues(query))) {
    const all = values.get(name);
    if (all) all.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]),
  );
}

function withNeededValues(query: string): string {
  const kept = [...new URLSearchParams(query)].flatMap(([name, value]): [string, string][] => {
    if (NEEDED.has(name)) return [[name, value]];
    // Without a value they count as omitted (RFC 6749 section 3.1).
    if (Object.hasOwn(ELSEWHERE, name)) return value === '' ? [] : [[name, GIVEN]];
    return [[keptName(name), value.includes(UNSOUND) ? UNSOUND : '']];
  });
  return new URLSearchParams(kept).toString();
}

/** In a query that is encoded twice, the first name contains all parameters. */
function keptName(name: string): string {
  const decoded = decodeFully(name);
  return decoded.includes('=') ? withNeededValues(decoded) : name;
}

function missingClientId(
  query: string,
  parameters: RequestParameters,
  fragment: string | undefined,
): RuleViolation {
  if (fragment !== undefined && new URLSearchParams(fragment).has('client_id')) {
    const message =
      'has its parameters after #, where no server sees them: the application must send them after ? instead';
    return { code: 'fragment', message };
  }
  if (query === '') {
    const message =
      'has no parameters. If the application sends its request by POST, copy the form data from the network panel of the browser, and paste that';
    return { code: 'no_parameters', message };
  }
  if (/(^|[?&])client_id=[^&]/.test(decodeFully(query))) {
    const message =
      'is percent-encoded twice, so that the server finds no client_id: encode each value once, and neither & nor = between them';
    return { code: 'encoded_twice', message };
  }
  if (['code', 'error', 'id_token', 'access_token'].some((name) => Object.hasOwn(parameters, name))) {
    const message =
      'is the response to an authorization request. Go back in the browser, and paste the address of the request, which has a client_id';
    return { code: 'response', message };
  }
  return { code: 'client_id_missing', message: 'has no client_id, so no client can be found for it' };
}

function notesOn(parameters: RequestParameters, fragment: string | undefined): RuleViolation[] {
  const redirectUri = single(parameters, 'redirect_uri') ?? '';
  const mode = single(parameters, 'response_mode');
  const isImplicit = /token/.test(single(parameters, 'response_type') ?? '');
  return [
    ...(fragment !== undefined ? [FRAGMENT] : []),
    ...(/%(25|3A|2F)/i.test(redirectUri) ? [ENCODED_TWICE] : []),
    ...(mode !== undefined ? [responseModeNote(mode, isImplicit)] : []),
  ];
}

const FRAGMENT: RuleViolation = {
  code: 'fragment',
  message:
    'browsers do not send what follows # in the URL. If it belongs to a parameter, such as redirect_uri, encode the # as %23',
};

const ENCODED_TWICE: RuleViolation = {
  code: 'encoded_twice',
  message: 'redirect_uri still contains percent-encoding after decoding: it is probably encoded twice',
};

function responseModeNote(mode: string, isImplicit: boolean): RuleViolation {
  const code = 'response_mode';
  if (!RESPONSE_MODES.test(mode)) {
    return { code, message: 'no specification defines this response_mode' };
  }
  if (mode === 'query' && isImplicit) {
    return {
      code,
      message: 'tokens must not be sent in a query: authorization servers reject this response_mode',
    };
  }
  return { code, message: 'the authorization server decides about the response_mode, not the registry' };
}
