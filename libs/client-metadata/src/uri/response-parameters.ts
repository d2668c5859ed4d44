import { decodeFully } from './percent-encoding.js';

/**
 * The parameters of authorization responses (IANA OAuth Parameters: RFC 6749, RFC 9207, OpenID Connect Core, JARM,
 * Session Management). A redirect URI containing one would inject it into the response.
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

/** OAuth response parameters in a query, as interpreted by receivers: decoded, with `code[]` counting as `code`. */
export function responseParametersIn(query: string | undefined): string[] {
  const names = (query ?? '').split(/[&;]/).map((pair) => pair.replace(/=.*$/s, ''));
  return names
    .map((name) => decodeFully(name.replaceAll('+', ' ')).trim().replace(/\[.*$/s, ''))
    .filter((name) => RESPONSE_PARAMETERS.has(name));
}
