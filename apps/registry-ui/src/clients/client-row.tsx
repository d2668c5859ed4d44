import { text } from '../texts/clients.js';
import { classOfRoom, type ClientColumn, type RowContext } from './client-column.js';
import classes from './client-table.module.css';
import type { RowsContent } from './row-window.js';

/** @returns a function that makes the row of a client, to be drawn without React */
export function rowsWith(columns: readonly ClientColumn[], context: RowContext): RowsContent['row'] {
  return (client, index, selected) => (
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
          tabIndex={-1}
          aria-label={text('select.one', { name: client.client_name })}
        />
      </td>
      {columns.map((column) => (
        <td key={column.id} className={classOfRoom(column)} tabIndex={-1}>
          {column.cell(client, context)}
        </td>
      ))}
    </tr>
  );
}

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
