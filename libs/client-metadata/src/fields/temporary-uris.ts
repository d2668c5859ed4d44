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

/**
 * A Client that was read or exported, without the redirect URIs that are temporary there, except those that the Client still
 * has: sent back, they would become permanent.
 */
export function withoutTemporaryUris<T>(record: T, known: readonly string[]): T {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  const { redirect_uris: uris, temporary_redirect_uris: temporary } = record as Readonly<
    Record<string, unknown>
  >;
  if (!Array.isArray(uris) || !Array.isArray(temporary)) return record;
  const ended = temporary.map((each: unknown) => (each as TemporaryUri | null)?.redirect_uri);
  return { ...record, redirect_uris: uris.filter((uri) => known.includes(uri) || !ended.includes(uri)) };
}
