import {
  ALL_CLIENTS,
  type ClientSelector,
  NO_CLIENTS,
  parseLabel,
  selectsAll,
  sortedSelector,
} from '@svc/client-metadata';
import { type Scope, UNDIVIDED_SCOPES } from '../tokens/scopes.js';
import { type ClaimMap, claimValues, parseClaimMap } from './claim-map.js';

/** A label, or all Clients. */
type Granted = { readonly key: string; readonly value: string } | 'all';

/** The Clients for each of the issuer's values. */
export type SelectorMap = ClaimMap<Granted>;

const FORM = '<value>=<key>:<value of the label>, or <value>=* for all clients';

/**
 * Reads entries such as `shop-admins=team:shop`; `*` stands for all Clients.
 *
 * @throws {RangeError} that names the first entry that cannot be used
 */
export function parseSelectorMap(entries: readonly string[]): SelectorMap {
  return parseClaimMap(entries, toGranted, FORM);
}

function toGranted(text: string): readonly Granted[] | undefined {
  if (text === '*') return ['all'];
  const label = parseLabel(text);
  return label?.value === undefined ? undefined : [{ key: label.key, value: label.value }];
}

/**
 * The Clients that an access token reaches: several values of one label add up, different labels must all be present. None
 * if no value of the claim is listed. Sorted: issuers may list the values in another order each time.
 */
export function grantedSelector(
  claims: Readonly<Record<string, unknown>>,
  {
    selectorClaim,
    selectorMap,
  }: { readonly selectorClaim: string; readonly selectorMap?: SelectorMap | undefined },
): ClientSelector {
  if (!selectorMap) return ALL_CLIENTS;
  const granted = claimValues(claims, selectorClaim).flatMap((value) => selectorMap.get(value) ?? []);
  if (granted.includes('all')) return ALL_CLIENTS;
  const labels = new Map<string, Set<string>>();
  for (const label of granted) {
    if (label === 'all') continue;
    labels.set(label.key, (labels.get(label.key) ?? new Set()).add(label.value));
  }
  if (labels.size === 0) return NO_CLIENTS;
  return sortedSelector({
    labels: Object.fromEntries([...labels].map(([key, values]) => [key, [...values]])),
  });
}

/** Omits scopes that show data of all Clients, unless all are reached. A token that reaches none grants nothing. */
export function scopesWithin(selector: ClientSelector, scopes: readonly Scope[]): Scope[] {
  if (selector === NO_CLIENTS) return [];
  return scopes.filter((scope) => !UNDIVIDED_SCOPES.includes(scope) || selectsAll(selector));
}
