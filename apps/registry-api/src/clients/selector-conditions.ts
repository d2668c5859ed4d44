import type { ClientSelector } from '@svc/client-metadata';
import type { StatementValues } from '../database/statement-values.js';

/** Columns that a selector looks at. */
export interface SelectedColumns {
  readonly clientId: string;
  /** A jsonb object. */
  readonly labels: string;
}

const OF_CLIENT: SelectedColumns = { clientId: 'c.client_id', labels: 'c.labels' };

/** `selects` of client-metadata in SQL, on `client c` or other columns; none for all Clients. The index of labels serves them. */
export function selectorConditions(
  { labels, clientId }: ClientSelector,
  values: StatementValues,
  columns: SelectedColumns = OF_CLIENT,
): string[] {
  const ofLabels = Object.entries(labels).map(([key, allowed]) => {
    const documents = allowed.map((value) => JSON.stringify({ [key]: value }));
    const [only = ''] = documents;
    return documents.length === 1
      ? `${columns.labels} @> ${values.add(only)}::jsonb`
      : `${columns.labels} @> ANY (${values.add(documents)}::jsonb[])`;
  });
  return [...(clientId === undefined ? [] : [`${columns.clientId} = ${values.add(clientId)}`]), ...ofLabels];
}

/** The conditions as one, true for all Clients. */
export function selectorCondition(
  selector: ClientSelector,
  values: StatementValues,
  columns: SelectedColumns = OF_CLIENT,
): string {
  return selectorConditions(selector, values, columns).join(' AND ') || 'true';
}
