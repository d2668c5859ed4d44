import { formatLabel } from '@svc/client-metadata';

/** A map as texts `key:value`; undefined for any other value. */
export function toEntries(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).map(([key, item]) =>
    formatLabel(key, typeof item === 'string' ? item : JSON.stringify(item)),
  );
}

/** The map that such texts describe; of several entries with one key, the last counts. */
export function fromEntries(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map(parseEntry));
}

/** A text without a colon is a key with an empty value. */
export function parseEntry(text: string): [key: string, value: string] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text.trim(), ''] : [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}

/** Keys that several texts have. */
export function repeatedKeys(texts: readonly string[]): string[] {
  const keys = texts.filter((text) => text.trim() !== '').map((text) => parseEntry(text)[0]);
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))];
}
