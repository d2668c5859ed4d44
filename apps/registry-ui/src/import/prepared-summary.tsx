import { type DataColumn, DataTable } from '../elements/data-table.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/import.js';
import type { LeftOut, PreparedImport, UnusedField } from './prepare-import.js';
import classes from './import.module.css';

/** The counts include all. */
const SHOWN = 100;

const LEFT_OUT: readonly DataColumn<LeftOut>[] = [
  { name: text('import.column.line'), cell: ({ place }) => <span className="numeric">{place}</span> },
  { name: text('import.column.client'), cell: ({ name }) => <bdi className={classes.named}>{name}</bdi> },
  {
    name: text('import.column.reason'),
    cell: ({ reasons }) => (
      <span className={`foreign ${classes.reasons}`}>
        {reasons.map((reason) => (
          <span key={reason}>{reason}</span>
        ))}
      </span>
    ),
  },
];

const UNUSED: readonly DataColumn<UnusedField>[] = [
  { name: text('import.column.field'), cell: ({ field }) => <bdi className="mono foreign">{field}</bdi> },
  { name: text('import.column.reason'), cell: ({ reason }) => reason },
  { name: text('import.column.clients'), cell: ({ clients }) => <span className="numeric">{clients}</span> },
];

/** What the conversion made of a file: what it leaves out, and why. */
export function PreparedSummary({ prepared }: { readonly prepared: PreparedImport }) {
  const { clients, leftOut, unused, newIds, incomplete } = prepared;
  const invalid = leftOut.filter((client) => client.invalid).length;
  return (
    <>
      {incomplete && <Notice kind="warn" title={text('import.incomplete')} />}
      {newIds > 0 && (
        <Notice kind="info" title={text('import.newIds', { count: newIds })}>
          <p>{text('import.newIds.what')}</p>
        </Notice>
      )}
      {clients === 0 && <Notice kind="warn" role="status" title={text('import.noClients')} />}
      {leftOut.length > 0 && (
        <>
          <Notice
            kind={invalid > 0 ? 'warn' : 'info'}
            title={text('import.leftOut', { count: leftOut.length })}
          >
            {invalid > 0 && <p>{text('import.leftOut.invalid', { count: invalid })}</p>}
          </Notice>
          <DataTable
            label={text('import.leftOut.list')}
            columns={LEFT_OUT}
            rows={leftOut.slice(0, SHOWN)}
            keyOf={({ place }) => place}
          />
          {leftOut.length > SHOWN && (
            <p className="hint">{text('list.more', { count: leftOut.length - SHOWN })}</p>
          )}
        </>
      )}
      {unused.length > 0 && (
        <details className={classes.unused}>
          <summary>{text('import.unused', { count: unused.length })}</summary>
          <DataTable
            label={text('import.unused.list')}
            columns={UNUSED}
            rows={unused}
            keyOf={({ field, reason }) => `${field} ${reason}`}
          />
        </details>
      )}
    </>
  );
}
