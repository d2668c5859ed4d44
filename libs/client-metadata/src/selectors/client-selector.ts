import type { ClientMetadata } from '../fields/client-metadata.js';

/** Which Clients a caller reaches. Everything that reads or changes Clients asks `selects`, or its equal in SQL. */
export interface ClientSelector {
  /** The values that each of these labels may have; the Client needs all of the labels. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** The only Client. */
  readonly clientId?: string;
}

/** What a selector looks at. */
export interface SelectableClient {
  readonly clientId: string;
  readonly metadata: Pick<ClientMetadata, 'labels'>;
}

export const ALL_CLIENTS: ClientSelector = { labels: {} };

/** No Client has an empty client_id. */
export const NO_CLIENTS: ClientSelector = { labels: {}, clientId: '' };

export function selectsAll(selector: ClientSelector): boolean {
  return selector.clientId === undefined && Object.keys(selector.labels).length === 0;
}

export function selects(selector: ClientSelector, { clientId, metadata }: SelectableClient): boolean {
  return selector === ALL_CLIENTS || selectsLabels(selector, clientId, metadata.labels);
}

/** @param labels none if undefined */
export function selectsLabels(
  { labels: wanted, clientId: only }: ClientSelector,
  clientId: string,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (only !== undefined && only !== clientId) return false;
  return Object.entries(wanted).every(([key, values]) => {
    // A label may have the name of a property that every object inherits.
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value !== undefined && values.includes(value);
  });
}

/** The labels of which a Client may have one of several values. */
export function severalValued({ labels }: ClientSelector): string[] {
  return Object.keys(labels).filter((key) => (labels[key]?.length ?? 0) > 1);
}

/** With keys and values in one order, so that selectors of the same Clients are the same text. */
export function sortedSelector({ labels, clientId }: ClientSelector): ClientSelector {
  const sorted = Object.entries(labels)
    .map(([key, values]) => [key, values.toSorted()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { labels: Object.fromEntries(sorted), ...(clientId !== undefined && { clientId }) };
}

/** The Clients that both select; undefined if `wanted` names a label's value or a Client that `held` does not select. */
export function narrowSelector(held: ClientSelector, wanted: ClientSelector): ClientSelector | undefined {
  const exceeds = Object.entries(held.labels).some(([key, values]) => {
    const asked = Object.hasOwn(wanted.labels, key) ? wanted.labels[key] : undefined;
    return asked?.some((value) => !values.includes(value)) === true;
  });
  const clientId = wanted.clientId ?? held.clientId;
  if (exceeds || (held.clientId !== undefined && clientId !== held.clientId)) return undefined;
  return { labels: { ...held.labels, ...wanted.labels }, ...(clientId !== undefined && { clientId }) };
}
