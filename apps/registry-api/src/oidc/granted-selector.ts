import { ALL_CLIENTS, type ClientSelector, parseLabel, selectsAll } from '@svc/client-metadata';
import type { Scope } from '../tokens/scopes.js';
import { claimValues } from './granted-scopes.js';

/** A label, or all Clients. */
type Granted = { readonly key: string; readonly value: string } | 'all';

/** The Clients for each of the issuer's values. */
export type SelectorMap = ReadonlyMap<string, readonly Granted[]>;

/** `<value>=<label>`; the value may contain equals signs. */
const ENTRY = /^(.+)=([^=]+)$/;

/**
 * Reads entries such as `shop-admins=team:shop`; `*` stands for all Clients, and a value may have several entries.
 *
 * @throws {RangeError} that names the first entry that cannot be used
 */
export function parseSelectorMap(entries: readonly string[]): SelectorMap {
  const map = new Map<string, readonly Granted[]>();
  for (const entry of entries) {
    const [, value, text] = ENTRY.exec(entry) ?? [];
    const granted = toGranted(text);
    if (value === undefined || !granted) {
      throw new RangeError(
        `'${entry}' is not <value>=<key>:<value of the label>, or <value>=* for all Clients`,
      );
    }
    map.set(value, [...(map.get(value) ?? []), granted]);
  }
  return map;
}

function toGranted(text: string | undefined): Granted | undefined {
  if (text === '*') return 'all';
  const label = parseLabel(text ?? '');
  return label?.value === undefined ? undefined : { key: label.key, value: label.value };
}

/**
 * The Clients that an access token reaches: several values of one label add up, different labels must all be present.
 *
 * @returns undefined if no value of the claim grants any
 */
export function grantedSelector(
  claims: Readonly<Record<string, unknown>>,
  {
    selectorClaim,
    selectorMap,
  }: { readonly selectorClaim: string; readonly selectorMap?: SelectorMap | undefined },
): ClientSelector | undefined {
  if (!selectorMap) return ALL_CLIENTS;
  const granted = claimValues(claims, selectorClaim).flatMap((value) => selectorMap.get(value) ?? []);
  if (granted.includes('all')) return ALL_CLIENTS;
  const labels = new Map<string, Set<string>>();
  for (const label of granted) {
    if (label === 'all') continue;
    labels.set(label.key, (labels.get(label.key) ?? new Set()).add(label.value));
  }
  if (labels.size === 0) return undefined;
  return { labels: Object.fromEntries([...labels].map(([key, values]) => [key, [...values]])) };
}

/** Metrics count all Clients. */
export function scopesWithin(selector: ClientSelector, scopes: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => scope !== 'metrics:read' || selectsAll(selector));
}
