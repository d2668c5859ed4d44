import { isHost, isPort } from '../uri/host.js';
import { splitUri } from '../uri/split-uri.js';

/** What a URI without an origin counts as. */
export const NO_ORIGIN = 'invalid';

const MAX_SCHEME_LENGTH = 64;

/**
 * Scheme, host and port as they are written, without user information, path and query, which may name a user; for a URI
 * without a host, the scheme alone.
 */
export function uriOrigin(uri: string): string {
  const { scheme = '', authority, host = '', port } = splitUri(uri) ?? {};
  if (scheme === '' || scheme.length > MAX_SCHEME_LENGTH) return NO_ORIGIN;
  const written = uri.slice(0, scheme.length);
  if (authority === undefined) return `${written}:`;
  if (!isHost(host) || (port !== undefined && !isPort(port))) return NO_ORIGIN;
  return `${written}://${host}${port === undefined ? '' : `:${port}`}`;
}
