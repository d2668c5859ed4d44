import { memo } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { text } from '../texts/text.js';
import { classOfRoom, type ClientColumn, type Searched } from './client-column.js';
import classes from './client-table.module.css';

interface ClientRowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
  readonly client: ClientDocument;
  readonly searched: Searched;
  readonly selected: boolean;
}

/** Rendered only when it changes, not while the list scrolls. The table hears its clicks. */
export const ClientRow = memo(function ClientRow({
  index,
  columns,
  client,
  searched,
  selected,
}: ClientRowProps) {
  return (
    <tr
      className={classes.row}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-selected={selected || undefined}
    >
      <td className={classes.selector} tabIndex={-1}>
        <input
          type="checkbox"
          className={classes.check}
          checked={selected}
          readOnly
          tabIndex={-1}
          aria-label={text('select.one', { name: client.client_name })}
        />
      </td>
      {columns.map((column) => (
        <td key={column.id} className={classOfRoom(column)} tabIndex={-1}>
          {column.cell(client, searched)}
        </td>
      ))}
    </tr>
  );
});

interface SkeletonRowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
}

/** A placeholder for a row that has not loaded. */
export function SkeletonRow({ index, columns }: SkeletonRowProps) {
  return (
    <tr className={`${classes.row} ${classes.loading}`} aria-hidden>
      <td />
      {columns.map((column) => (
        <td key={column.id} className={classOfRoom(column)}>
          <div className={classes.placeholder} style={{ width: `${40 + ((index * 17) % 40)}%` }} />
        </td>
      ))}
    </tr>
  );
}
