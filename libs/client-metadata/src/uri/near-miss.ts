import { decodeFully } from './percent-encoding.js';

/** Common mistakes, and how to normalize them away. */
const DIFFERENCES: readonly { readonly what: string; readonly without: (uri: string) => string }[] = [
  { what: 'a space before or after it', without: (uri) => uri.trim() },
  { what: 'a slash at the end', without: (uri) => uri.replace(/\/$/, '') },
  { what: 'capital letters', without: (uri) => uri.toLowerCase() },
  { what: 'http in place of https', without: (uri) => uri.replace(/^http:/, 'https:') },
  { what: 'the port', without: (uri) => uri.replace(/^(https?:\/\/(?:\[[^\]]*\]|[^/?#:[]*)):\d*/, '$1') },
  { what: 'percent-encoding', without: decodeFully },
  { what: 'the fragment', without: (uri) => uri.replace(/#.*$/s, '') },
  { what: 'the query', without: (uri) => uri.replace(/\?.*$/s, '') },
];

/** All values of `difference`. */
export const NEAR_MISS_DIFFERENCES: readonly string[] = DIFFERENCES.map(({ what }) => what);

/** Finds a registered URI that differs by one common mistake; for hints only, never for matching. */
export function nearMiss(
  requested: string,
  registered: readonly string[],
): { readonly registered: string; readonly difference: string } | undefined {
  for (const { what, without } of DIFFERENCES) {
    const wanted = without(requested);
    const found = registered.find((uri) => without(uri) === wanted);
    if (found !== undefined) return { registered: found, difference: what };
  }
  return undefined;
}
