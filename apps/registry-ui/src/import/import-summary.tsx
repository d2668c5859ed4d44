import type { ReactNode } from 'react';
import { Panel } from '../elements/panel.js';
import { ChangeBadge } from '../changes/change-badge.js';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { text } from '../texts/import.js';
import { formatNumber } from '../texts/text.js';
import { type ImportAnswer, type ImportedClient, OUTCOMES } from './import-clients.js';
import classes from './import.module.css';

/** The counts above include all. */
const SHOWN = 100;

interface PlacedClient extends ImportedClient {
  readonly place: string;
}

const COLUMNS: readonly DataColumn<PlacedClient>[] = [
  {
    name: text('import.column.line'),
    cell: ({ place }) => <span className="numeric">{place}</span>,
  },
  {
    name: text('clients.column.id'),
    cell: ({ client_id }) => <bdi className="mono foreign">{client_id}</bdi>,
  },
  {
    name: text('import.column.changes'),
    cell: ({ changes }) => (
      <span className={classes.changes}>
        {changes.map((kind) => (
          <ChangeBadge key={kind} kind={kind} />
        ))}
      </span>
    ),
  },
];

interface ImportSummaryProps {
  readonly title: string;
  readonly answer: ImportAnswer;
  /** Where each line comes from, if the file was converted. */
  readonly places?: readonly string[] | undefined;
  /** Shown between the counts and the names. */
  readonly children?: ReactNode;
}

/** Counts by outcome, and the first of the changed clients. */
export function ImportSummary({ title, answer, places, children }: ImportSummaryProps) {
  const clients = deletionsFirst(answer.clients);
  const placeOf = (line: number | undefined) =>
    line === undefined ? '' : (places?.[line - 1] ?? formatNumber(line));
  return (
    <>
      <Panel title={title}>
        <dl className={classes.counts}>
          {OUTCOMES.map((outcome) => (
            <div key={outcome} data-none={answer[outcome] === 0 || undefined}>
              <dt>{text(`import.count.${outcome}`)}</dt>
              <dd className="numeric">{formatNumber(answer[outcome])}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      {children}
      {clients.length > 0 && (
        <DataTable
          label={text('import.changes')}
          columns={COLUMNS}
          rows={clients.slice(0, SHOWN).map((client) => ({ ...client, place: placeOf(client.line) }))}
          keyOf={({ client_id }) => client_id}
        />
      )}
      {clients.length > SHOWN && (
        <p className="hint">{text('list.more', { count: clients.length - SHOWN })}</p>
      )}
    </>
  );
}

/** The registry lists deletions last; users who read only the first rows must see them. */
function deletionsFirst(clients: readonly ImportedClient[]): readonly ImportedClient[] {
  const isDeleted = ({ changes }: ImportedClient) => changes.includes('deleted');
  return [...clients.filter(isDeleted), ...clients.filter((client) => !isDeleted(client))];
}
