import { formatLabel } from '@svc/client-metadata';

/** A map as texts `key:value`; undefined for any other value. */
export function toEntries(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([key, item]) =>
    formatLabel(key, typeof item === 'string' ? item : JSON.stringify(item)),
  );
}

/** The map that such texts describe; a text without a colon is a key with an empty value. */
export function fromEntries(texts: readonly string[]): Record<string, string> {
  const entries = texts.map((text): [string, string] => {
    const colon = text.indexOf(':');
    return colon < 0 ? [text, ''] : [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  });
  return Object.fromEntries(entries);
}
