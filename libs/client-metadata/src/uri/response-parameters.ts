import { decodeFully } from './percent-encoding.js';

/**
 * The parameters of authorization responses (IANA OAuth Parameters: RFC 6749, RFC 9207, OpenID Connect Core, JARM,
 * Session Management). A redirect URI that brought one along would plant it in the answer.
 */
const RESPONSE_PARAMETERS = new Set([
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'access_token',
  'token_type',
  'expires_in',
  'scope',
  'id_token',
  'refresh_token',
  'session_state',
  'response',
]);

/** The names of OAuth's response parameters in a query, as receivers read it: decoded, `code[]` counts as `code`. */
export function responseParametersIn(query: string | undefined): string[] {
  const names = (query ?? '').split(/[&;]/).map((pair) => pair.replace(/=.*$/s, ''));
  return names
    .map((name) => decodeFully(name.replaceAll('+', ' ')).trim().replace(/\[.*$/s, ''))
    .filter((name) => RESPONSE_PARAMETERS.has(name));
}
