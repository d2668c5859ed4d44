import { isLoopbackHost } from '@svc/foundation';

/** `b64token` (RFC 6750 section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Parses the registry's base URL; a path prefix is kept.
 *
 * @throws {RangeError} if invalid; the message never contains the URL, since it may hold credentials by mistake
 */
export function parseRegistryUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new RangeError('url must be an http or https address, such as https://registry.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('url must not contain a user or password; the token goes into registry.token');
  }
  if (url.search !== '' || url.hash !== '') throw new RangeError('url must not contain a query or fragment');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** @throws {RangeError} if the token is malformed; the message never contains it */
export function assertToken(token: string): void {
  if (!TOKEN.test(token) || token.length > 16_384) {
    throw new RangeError(
      'token is not a valid bearer token: only letters, digits and - . _ ~ + / are allowed (RFC 6750)',
    );
  }
}

/** True for plain HTTP to another host. */
export function sendsInClear(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopbackHost(url.hostname);
}
