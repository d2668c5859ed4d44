import { isLoopbackHost } from '@svc/foundation';
import { secretsOf } from './secret-scrubber.js';

/** A repository's URL and credentials, kept apart so that only `url` is passed on and logged. */
export interface GitAddress {
  /** http or https, without credentials, query or fragment. */
  readonly url: string;
  readonly user: string | undefined;
  readonly token: string | undefined;
  /** Branch, tag or commit after `#`. */
  readonly ref: string | undefined;
}

/**
 * Parses `git://user:token@host/path.git#ref`. `git://` means https, or http on loopback; `https://`, `git+https://` and
 * `git+http://` are taken literally. User and token are split at the authority's last `@` and the user info's first `:`,
 * and percent-decoded.
 *
 * @throws {RangeError} whose message never contains the text
 */
export function parseGitAddress(text: string): GitAddress {
  const match = /^([a-z+]+):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(?:#(.*))?$/is.exec(text.trim());
  if (!match) throw new RangeError(SCP_FORM.test(text.trim()) ? ONLY_HTTPS : NO_ADDRESS);
  const [, scheme = '', authority = '', path = '', query, fragment] = match;
  // Such as https://to/ken@host/x.git, which has no credentials and the host "to". An @ that begins a name is of a group or scope.
  const isSplit = /[^/]@/.test(`${path}${query ?? ''}`) || /[^/]@.*\//.test(fragment ?? '');
  if (isSplit && !authority.includes('@')) throw new RangeError(UNENCODED);
  if (query) throw new RangeError('a Git URL cannot contain "?"; write the branch, tag or commit after "#"');
  if (path === '' || path === '/') throw new RangeError('the Git URL has no path after the host');
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(host))
    throw new RangeError('the Git URL has no valid host');
  if (Number(/:(\d+)$/.exec(host)?.[1] ?? 0) > 65_535) throw new RangeError('the Git URL has no valid port');
  const { user, token } = at < 0 ? NO_CREDENTIALS : splitUserInfo(authority.slice(0, at));
  const protocol = protocolOf(scheme.toLowerCase(), host, secretsOf(user, token).length > 0);
  const url = new URL(`${protocol}://${host}${path}`).href;
  return { url, user, token, ref: fragment ? decode(fragment) : undefined };
}

/** `git@github.com:group/library.git` */
const SCP_FORM = /^[^:/]+@[^:/]+:(?!\/\/)/;

const ONLY_HTTPS =
  'ssh is not supported; write git://<user>:<token>@<host>/<path>.git, which is read over https';

const NO_ADDRESS =
  'it is neither a folder nor a Git URL; write git://, git+https:// or https:// for a repository, file:///folder or a path without ":" and "@" for a folder';

const UNENCODED =
  'the Git URL has an "@" after its host: if it ends the user or token, write "/", "?" and "#" in them as %2F, %3F and %23; if it belongs to the path, branch or tag, write it as %40';

const NO_CREDENTIALS = { user: undefined, token: undefined };

function splitUserInfo(userInfo: string): { user: string; token: string | undefined } {
  const colon = userInfo.indexOf(':');
  if (colon < 0) return { user: decode(userInfo), token: undefined };
  return { user: decode(userInfo.slice(0, colon)), token: decode(userInfo.slice(colon + 1)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('the Git URL has a "%" that is not a percent-encoding; write "%" as %25');
  }
}

function protocolOf(scheme: string, host: string, hasToken: boolean): 'http' | 'https' {
  const isLoopback = isLoopbackHost(host.replace(/:\d+$/, ''));
  switch (scheme) {
    case 'git':
      return isLoopback ? 'http' : 'https';
    case 'git+https':
    case 'https':
      return 'https';
    case 'git+http':
      return 'http';
    case 'http':
      if (isLoopback || !hasToken) return 'http';
      throw new RangeError(
        'the token would be sent unencrypted: use https, or use git+http:// to send it anyway',
      );
    case 'ssh':
    case 'git+ssh':
      throw new RangeError(ONLY_HTTPS);
    default:
      throw new RangeError(NO_ADDRESS);
  }
}
