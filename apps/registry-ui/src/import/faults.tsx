import type { FieldProblem } from '../api/api-error.js';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { Notice } from '../elements/notice.js';
import { WithReferences } from '../elements/outer-link.js';
import { text } from '../texts/text.js';
import { placeOf } from './fault-places.js';

const COLUMNS: readonly DataColumn<FieldProblem>[] = [
  {
    name: text('import.column.line'),
    cell: ({ field }) => <span className="numeric">{placeOf(field).line}</span>,
  },
  {
    name: text('import.column.field'),
    cell: ({ field }) => <bdi className="mono foreign">{placeOf(field).field}</bdi>,
  },
  {
    name: text('import.column.problem'),
    cell: ({ message }) => (
      <span className="foreign">
        <WithReferences>{message}</WithReferences>
      </span>
    ),
  },
];

/** What is wrong with the lines of a file, each at its place. */
export function Faults({ faults }: { readonly faults: readonly FieldProblem[] }) {
  return (
    <>
      <Notice kind="bad" role="alert" title={text('import.refused')}>
        <p>{text('import.refused.how')}</p>
      </Notice>
      <DataTable
        label={text('import.faults')}
        columns={COLUMNS}
        rows={faults}
        keyOf={({ field, code, message }) => `${field} ${code} ${message}`}
      />
    </>
  );
}
