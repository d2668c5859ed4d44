import { isLoopbackHost } from '@svc/foundation';
import type { Environment } from '@svc/foundation/config';
import { isExempt } from './no-proxy.js';

/** An HTTP proxy, its credentials kept apart. */
export interface HttpProxy {
  /** http or https; without credentials. */
  readonly url: URL;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** A proxy's address is invalid. The message does not contain it. */
export class ProxyAddressError extends RangeError {
  override readonly name = 'ProxyAddressError';

  /** @param setting where it was set, such as `HTTPS_PROXY` */
  constructor(
    readonly setting: string,
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * The proxy for a URL: `configured`, or else that of its scheme in the environment. `NO_PROXY` exempts hosts from both;
 * loopback addresses use a configured proxy only.
 *
 * @param configured an address; `none` for no proxy, whatever the environment says
 * @throws {ProxyAddressError}
 */
export function chooseProxy(
  target: string,
  configured: string | undefined,
  environment: Environment,
): HttpProxy | undefined {
  if (configured?.toLowerCase() === 'none') return undefined;
  const own = configured === undefined ? undefined : parseProxy('source.proxy', configured);
  const url = new URL(target);
  if (isExempt(url, environment['no_proxy'] || environment['NO_PROXY'] || '')) return undefined;
  if (own || isLoopbackHost(url.hostname)) return own;
  const name = `${url.protocol.slice(0, -1)}_proxy`;
  for (const variable of [name, name.toUpperCase()]) {
    const address = environment[variable]?.trim();
    if (address) return parseProxy(variable, address);
  }
  return undefined;
}

function parseProxy(setting: string, text: string): HttpProxy {
  const [, scheme = 'http', authority = ''] =
    /^(?:([a-z][\w+.-]*):\/\/)?([^/?#]+)\/?$/i.exec(text.trim()) ?? [];
  if (!/^https?$/i.test(scheme))
    throw new ProxyAddressError(setting, 'the proxy must have an http or https URL');
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)) throw new ProxyAddressError(setting, FORM);
  const [, user, password] = at < 0 ? [] : (/^([^:]*)(?::(.*))?$/s.exec(authority.slice(0, at)) ?? []);
  try {
    const url = new URL(`${scheme}://${host}`);
    return { url, user: decode(user), password: decode(password) };
  } catch {
    throw new ProxyAddressError(setting, FORM);
  }
}

const FORM = 'write the proxy as http://host:port or http://user:password@host:port, percent-encoded';

const decode = (text: string | undefined): string | undefined => text && decodeURIComponent(text);
