/** A redirect URI that expires. */
export interface TemporaryUri {
  readonly redirect_uri: string;
  /** From this instant it fails every check (RFC 3339, in UTC). */
  readonly expires_at: string;
  readonly note?: string;
}

/** The redirect URIs that have not expired, in their order. */
export function liveRedirectUris(
  redirectUris: readonly string[],
  temporary: readonly TemporaryUri[] | null | undefined,
  now: number,
): readonly string[] {
  if (!temporary || temporary.length === 0) return redirectUris;
  const expired = new Set(
    temporary.filter(({ expires_at: at }) => !(Date.parse(at) > now)).map(({ redirect_uri: uri }) => uri),
  );
  return redirectUris.filter((uri) => !expired.has(uri));
}
