/** Removes the secrets of an address from whatever might repeat them, in the forms in which servers do. */
export class SecretScrubber {
  private readonly pattern: RegExp | undefined;

  constructor(user: string | undefined, token: string | undefined) {
    const secrets = secretsOf(user, token);
    if (secrets.length > 0) this.pattern = patternOf([`${user ?? ''}:${token ?? ''}`, ...secrets]);
  }

  text(text: string): string {
    return this.pattern ? text.replace(this.pattern, '***') : text;
  }

  /** Cleans an error and its causes in place: message, stack, and all data it carries. */
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

/** The password next to a token in the user's place, where the server requires one. */
const PLACEHOLDER = 'x-oauth-basic';
/** User names are shorter. */
const SHORTEST_TOKEN = 20;

/**
 * What of an address is secret. A user without a password is a token, but for the name that git's own addresses have; and
 * so is one that is too long for a name.
 */
export function secretsOf(user: string | undefined, token: string | undefined): string[] {
  const secrets: string[] = [];
  if (token && token !== PLACEHOLDER) secrets.push(token);
  const isToken = user && (secrets.length === 0 ? user !== 'git' : user.length >= SHORTEST_TOKEN);
  if (isToken) secrets.push(user);
  return secrets;
}

/** The longest first: a shorter one may be part of it. Servers may change the case, of percent-encodings too. */
function patternOf(secrets: readonly string[]): RegExp {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'giu');
}

/** As it is, percent-encoded, as JSON and HTML spell it, and in the base64 of an Authorization header. */
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
