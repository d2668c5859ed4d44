/** Sign-in at the OpenID Connect issuer. */
export interface IssuerSignIn {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  /** The resource to request access tokens for (RFC 8707). */
  readonly resource?: string;
}

/** Settings that the registry embeds in the page. */
interface Settings {
  /** Absent if API tokens are the only way to sign in. */
  readonly oidc?: IssuerSignIn;
}

/** The development server leaves the placeholder unreplaced. */
function readSettings(): Settings {
  const written = document.querySelector<HTMLMetaElement>('meta[name=registry-settings]')?.content ?? '';
  return written.startsWith('{') ? (JSON.parse(written) as Settings) : {};
}

export const settings: Settings = readSettings();
