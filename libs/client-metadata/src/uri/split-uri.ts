/** A URI's raw components: nothing is decoded, lower-cased or repaired. */
export interface UriParts {
  readonly text: string;
  /** In lower case, since schemes are case-insensitive (RFC 3986 section 3.1). */
  readonly scheme: string;
  /** Absent unless `//` follows the scheme. */
  readonly authority: string | undefined;
  /** The authority up to its last `@`. */
  readonly userinfo: string | undefined;
  /** The authority without userinfo and port, or empty. An IPv6 address keeps its brackets. */
  readonly host: string;
  /** The text after the host's colon; may be empty. */
  readonly port: string | undefined;
  readonly path: string;
  /** Without the `?`. */
  readonly query: string | undefined;
  /** Without the `#`. */
  readonly fragment: string | undefined;
}

/** RFC 3986 appendix B, with a mandatory scheme. */
const COMPONENTS = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/**
 * Splits a URI's raw text by the grammar of RFC 3986. The WHATWG URL parser would not do: it repairs its input (drops
 * tabs, turns `\` into `/`, adds slashes, resolves dots), hiding violations from the rules.
 *
 * @returns undefined without a scheme, as for a relative reference
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
