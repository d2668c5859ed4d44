import { isLoopbackHost } from '@svc/foundation';

/** `b64token` of RFC 6750 section 2.1: what can stand in a header. */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The address that all paths are relative to; a path in front of the registry's own is kept.
 *
 * @throws {RangeError} when it is none; the message shows nothing of it, since credentials are written there by mistake
 */
export function parseRegistryUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new RangeError('url must be an http or https address, such as https://registry.example.com');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError('url must not hold a user or password; the token goes into registry.token');
  }
  if (url.search !== '' || url.hash !== '') throw new RangeError('url must not have a query or fragment');
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** @throws {RangeError} when it can be no token; the message does not show it */
export function assertToken(token: string): void {
  if (!TOKEN.test(token) || token.length > 16_384) {
    throw new RangeError(
      'token is no bearer token: letters, digits and - . _ ~ + / (RFC 6750), nothing else',
    );
  }
}

/** True when what is sent can be read on its way. */
export function isOpenToReaders(url: URL): boolean {
  return url.protocol === 'http:' && !isLoopbackHost(url.hostname);
}
