/**
 * Removes a token from whatever might repeat it: raw, percent-encoded, and in the Authorization header's base64, alone
 * or behind its user.
 */
export class SecretScrubber {
  private readonly secrets: readonly string[];

  constructor(user: string | undefined, token: string | undefined) {
    this.secrets = token ? formsOf(user ?? '', token) : [];
  }

  text(text: string): string {
    return this.secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
  }

  /** Cleans an error and its causes in place: message, stack, and all data it carries. */
  error<T>(error: T): T {
    return this.secrets.length === 0 ? error : (this.clean(error, new Set()) as T);
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

/** The longest first: a shorter one may be part of it. */
function formsOf(user: string, token: string): string[] {
  const pair = `${user}:${token}`;
  const forms = new Set<string>();
  for (const text of [pair, token]) {
    forms.add(text);
    forms.add(encodeURIComponent(text));
    forms.add(encodeURI(text));
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(text).toString(encoding);
      forms.add(encoded);
      forms.add(encoded.replace(/=+$/, ''));
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}
