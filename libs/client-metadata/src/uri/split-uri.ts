/** A URI's components, as they are written: nothing is decoded, lower-cased or repaired. */
export interface UriParts {
  readonly text: string;
  /** In lower case: schemes are case-insensitive (RFC 3986 section 3.1). */
  readonly scheme: string;
  /** Absent where no `//` follows the scheme. */
  readonly authority: string | undefined;
  /** The authority up to its last `@`. */
  readonly userinfo: string | undefined;
  /** The authority without userinfo and port; empty where there is none. An IPv6 address keeps its brackets. */
  readonly host: string;
  /** The digits after the host's colon; empty when only the colon is there. */
  readonly port: string | undefined;
  readonly path: string;
  /** Without the `?`. */
  readonly query: string | undefined;
  /** Without the `#`. */
  readonly fragment: string | undefined;
}

/** RFC 3986 appendix B, with a scheme that must be there. */
const COMPONENTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Splits a URI by the grammar of RFC 3986, on the raw text. The URL parser of browsers is no substitute here: it
 * repairs what it reads (drops tabs, turns `\` into `/`, adds slashes, resolves dots), and what a rule does not see it
 * cannot refuse.
 *
 * @returns nothing when there is no scheme: a relative reference, or no URI at all
 */
export function splitUri(text: string): UriParts | undefined {
  const found = COMPONENTS.exec(text);
  if (!found) return undefined;
  const [, scheme = '', authority, path = '', query, fragment] = found;
  return {
    text,
    scheme: scheme.toLowerCase(),
    authority,
    ...splitAuthority(authority),
    path,
    query,
    fragment,
  };
}

function splitAuthority(authority: string | undefined): Pick<UriParts, 'userinfo' | 'host' | 'port'> {
  if (authority === undefined) return { userinfo: undefined, host: '', port: undefined };
  const at = authority.lastIndexOf('@');
  const hostAndPort = authority.slice(at + 1);
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(hostAndPort) ?? [undefined, hostAndPort];
  return { userinfo: at < 0 ? undefined : authority.slice(0, at), host, port };
}
