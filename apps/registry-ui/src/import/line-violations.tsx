import type { Violation } from '../api/api-error.js';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { Notice } from '../elements/notice.js';
import { WithReferences } from '../elements/external-link.js';
import { text } from '../texts/text.js';
import { placeOf } from './violation-place.js';

const COLUMNS: readonly DataColumn<Violation>[] = [
  {
    name: text('import.column.line'),
    cell: ({ field }) => <span className="numeric">{placeOf(field).line}</span>,
  },
  {
    name: text('import.column.field'),
    cell: ({ field }) => <bdi className="mono foreign">{placeOf(field).field}</bdi>,
  },
  {
    name: text('import.column.issue'),
    cell: ({ message }) => (
      <span className="foreign">
        <WithReferences>{message}</WithReferences>
      </span>
    ),
  },
];

export function LineViolations({ violations }: { readonly violations: readonly Violation[] }) {
  return (
    <>
      <Notice kind="bad" role="alert" title={text('import.refused')}>
        <p>{text('import.refused.how')}</p>
      </Notice>
      <DataTable
        label={text('import.issues')}
        columns={COLUMNS}
        rows={violations}
        keyOf={({ field, code, message }) => `${field} ${code} ${message}`}
      />
    </>
  );
}
