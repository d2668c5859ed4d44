/** How people can be signed in at the OpenID Connect issuer. */
export interface IssuerSignIn {
  readonly issuer: string;
  readonly client_id: string;
  readonly scope: string;
  /** The resource that access tokens are asked for (RFC 8707). */
  readonly resource?: string;
}

/** What the registry tells this page with it. */
interface Settings {
  /** Absent: API tokens are the only way in. */
  readonly oidc?: IssuerSignIn;
}

/** The development server leaves the place of the settings as it is. */
function readSettings(): Settings {
  const written = document.querySelector<HTMLMetaElement>('meta[name=registry-settings]')?.content ?? '';
  return written.startsWith('{') ? (JSON.parse(written) as Settings) : {};
}

export const settings: Settings = readSettings();
