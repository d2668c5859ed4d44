/** A deliberate deviation from a specification. */
export interface Deviation {
  /** The field, value or interface affected. */
  readonly subject: string;
  /** The document deviated from. */
  readonly from: string;
  readonly description: string;
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    subject: 'redirect_uri_validation_method prefix_match',
    from: 'the specification',
    description:
      'Besides beginning with a registered URI and having its host name, a redirect URI must have its scheme and port, must be a clean URI (ASCII; no user name, fragment, wildcard, backslash or space; no dot segment or control character, however encoded) and must carry no parameter of OAuth responses. Otherwise codes could be stolen.',
  },
  {
    subject: 'redirect_uri_validation_method none',
    from: 'the specification',
    description:
      'Even unchecked, a redirect URI must be an absolute URI without a fragment and without a scheme that leads to scripts or files (javascript, data, file, view-source and the like).',
  },
  {
    subject: 'preferred_client_id',
    from: 'the specification',
    description:
      'Not any string: 1 to 255 characters of printable ASCII (VSCHAR, RFC 6749 appendix A.1), and not features, . or .. since paths use them.',
  },
  {
    subject: 'HTTP API',
    from: 'the specification',
    description: 'Everything but the listed public routes wants a bearer token.',
  },
  {
    subject: 'redirect_uri_validation_method prefix_match, none',
    from: 'RFC 9700 section 2.1',
    description: 'Redirect URIs must be compared as exact strings; only full_match does.',
  },
  {
    subject: 'token_endpoint_auth_method',
    from: 'RFC 7591 section 2',
    description: 'The default is none, not client_secret_basic.',
  },
  {
    subject: 'code_challenge_method',
    from: 'RFC 9700 section 2.1.1',
    description: 'none and plain are accepted for public Clients, with a warning; S256 is recommended.',
  },
];
