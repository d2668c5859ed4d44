import { ALL_CLIENTS, type ClientSelector, selectsLabels } from '@svc/client-metadata';
import { selectorCondition } from '../clients/selector-conditions.js';
import type { StatementValues } from '../database/statement-values.js';

/** What a reader sees of the feed. */
export interface FeedView {
  /** Id of the reader, which takes turns with others; absent: this process reads for all of them. */
  readonly id?: string;
  /** The Clients that it reaches. */
  readonly selector: ClientSelector;
  /** Whether it sees who made the changes and registered the Clients. */
  readonly seesActors: boolean;
}

export const FULL_VIEW: FeedView = { selector: ALL_CLIENTS, seesActors: true };

/** What decides who sees a change. */
export interface LabelledChange {
  readonly changedClientId: string;
  readonly changeLabels: Readonly<Record<string, string>> | null;
  readonly changeLabelsBefore: Readonly<Record<string, string>> | null;
}

/** A change is seen by those who reached the Client before or after it: they learn that it came or went. */
export function seesChange(selector: ClientSelector, change: LabelledChange): boolean {
  return seesAfter(selector, change) || seesBefore(selector, change);
}

/** Whether the state after the change was reached; for a deletion the last one. */
export function seesAfter(selector: ClientSelector, change: LabelledChange): boolean {
  return selectsLabels(selector, change.changedClientId, change.changeLabels ?? {});
}

/** Whether the state before the change was reached. */
export function seesBefore(selector: ClientSelector, change: LabelledChange): boolean {
  const labels = change.changeLabelsBefore ?? change.changeLabels ?? {};
  return selectsLabels(selector, change.changedClientId, labels);
}

/** `seesChange` in SQL, on `client_change ch`. */
export function seenCondition(selector: ClientSelector, values: StatementValues): string {
  const on = (labels: string) => selectorCondition(selector, values, { clientId: 'ch.client_id', labels });
  return `(${on('ch.labels')} OR ${on('ch.labels_before')}) IS TRUE`;
}
