/** How a redirect URI matched: `implied` when the request named none, `unchecked` when nothing registered resembles it. */
export const MATCH_KINDS = ['exact', 'loopback_port', 'prefix', 'implied', 'unchecked'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

export const PKCE_KINDS = ['S256', 'plain', 'none', 'other'] as const;
export type PkceKind = (typeof PKCE_KINDS)[number];

/**
 * One authorization request as usage counts it: coarse, and without user data. Of a requested URI that is not
 * registered only scheme, host and port are kept, because paths and queries may name users.
 */
export interface RequestUse {
  readonly kind: 'request';
  /** The violated rule; absent: the request was accepted. */
  readonly refusal?: string;
  /** The registered URI that matched; with `difference`, the one that nearly did. */
  readonly redirect_uri?: string;
  /** Absent when no registered URI matched. */
  readonly match?: MatchKind;
  /** Scheme, host and port of a requested URI that is not registered. */
  readonly origin?: string;
  /** What sets the requested URI apart from `redirect_uri`. */
  readonly difference?: string;
  /** For an unchecked URI: prefix_match would accept it if its origin were registered. */
  readonly is_clean?: boolean;
  readonly pkce: PkceKind;
  /** `missing`, `other`, or one that the Client has registered or the server supports. */
  readonly response_type: string;
  /** Stands for several, of which too many differed; URIs are left out. */
  readonly others?: true;
}

/** A check of a client_secret. */
export interface SecretUse {
  readonly kind: 'secret';
  /** Absent: it was valid. An expired one counts as wrong. */
  readonly refusal?: 'wrong_secret' | 'client_disabled';
  /** Id of the secret. */
  readonly secret?: string;
  readonly others?: true;
}

/** A client_secret that another server has refused without asking, since it knows that the Client is disabled. */
export interface RefusedSecretUse extends SecretUse {
  readonly refusal: 'client_disabled';
}

/** A check of a client assertion. */
export interface AssertionUse {
  readonly kind: 'assertion';
  /** `assertion_` and the violated rule, or `other`; absent: it was valid. */
  readonly refusal?: string;
  readonly others?: true;
}

/** The kinds of use that other servers may report. */
export type ReportableUse = RequestUse | AssertionUse | RefusedSecretUse;

export type ClientUse = RequestUse | SecretUse | AssertionUse;

/** The same without what can take many values. */
export function withoutDetails(use: ClientUse): ClientUse {
  if (use.kind === 'assertion') return { ...use, others: true };
  if (use.kind === 'secret') {
    const { secret: _secret, ...rest } = use;
    return { ...rest, others: true };
  }
  const { redirect_uri: _uri, origin: _origin, difference: _difference, ...rest } = use;
  return { ...rest, others: true };
}

/** Whether both are counted together. */
export function isSameUse(a: ClientUse, b: ClientUse): boolean {
  return includesUse(a, b) && includesUse(b, a);
}

// Every check compares uses, and for...in allocates no list of their members.
function includesUse<Use extends ClientUse>(use: Use, part: Use): boolean {
  for (const name in part) if (use[name] !== part[name]) return false;
  return true;
}
