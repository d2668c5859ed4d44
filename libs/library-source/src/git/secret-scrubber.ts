/** A user name and its password or token. */
export interface Credentials {
  readonly user: string | undefined;
  readonly token: string | undefined;
}

/** Removes secrets from texts and errors, in every encoding in which servers echo them. */
export class SecretScrubber {
  private readonly pattern: RegExp | undefined;

  constructor(...all: readonly Credentials[]) {
    const texts = all.flatMap(({ user, token }) => {
      const secrets = secretsOf(user, token);
      return secrets.length > 0 ? [`${user ?? ''}:${token ?? ''}`, ...secrets] : [];
    });
    if (texts.length > 0) this.pattern = patternOf(texts);
  }

  text(text: string): string {
    return this.pattern ? text.replace(this.pattern, '***') : text;
  }

  /** Cleans an error and its causes in place: message, stack and properties. */
  error<T>(error: T): T {
    return this.pattern ? (this.clean(error, new Set()) as T) : error;
  }

  private clean(value: unknown, seen: Set<unknown>): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) return value;
    seen.add(value);
    for (const key of Object.getOwnPropertyNames(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)!;
      if (!('value' in property) && key !== 'stack') continue;
      const current: unknown = (value as Record<string, unknown>)[key];
      const clean = this.clean(current, seen);
      if (clean !== current)
        Object.defineProperty(value, key, { value: clean, configurable: true, writable: true });
    }
    return value;
  }
}

/** Dummy password used when the token is passed as the user name. */
const PLACEHOLDER = 'x-oauth-basic';
/** User names are shorter. */
const MIN_TOKEN_LENGTH = 20;

/**
 * The secret parts of an address. A user without a password is a token, except `git`; so is one too long to be a user
 * name.
 */
export function secretsOf(user: string | undefined, token: string | undefined): string[] {
  const secrets: string[] = [];
  if (token && token !== PLACEHOLDER) secrets.push(token);
  const isToken = user && (secrets.length === 0 ? user !== 'git' : user.length >= MIN_TOKEN_LENGTH);
  if (isToken) secrets.push(user);
  return secrets;
}

/** Longest first, since one secret may contain another. Case-insensitive, since servers may change it. */
function patternOf(secrets: readonly string[]): RegExp {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'giu');
}

/** Plain, percent-encoded, JSON- and HTML-escaped, and in the base64 of an Authorization header. */
function formsOf(text: string): string[] {
  const inBase64 = (['base64', 'base64url'] as const).flatMap((encoding) => {
    const encoded = Buffer.from(text).toString(encoding);
    return [encoded, encoded.replace(/=+$/, '')];
  });
  const inHtml = text.replace(/[&<>"']/g, (character) => HTML[character] ?? character);
  return [
    text,
    encodeURIComponent(text),
    encodeURI(text),
    JSON.stringify(text).slice(1, -1),
    inHtml,
    ...inBase64,
  ];
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
