import { Checkbox } from '@mantine/core';
import type { ClientDocument } from '@svc/client-metadata';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-column.js';
import { classOfRoom } from './column-room.js';
import classes from './client-table.module.css';

interface ClientRowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
  readonly client: ClientDocument;
  readonly selected: boolean;
  /** `upTo`: with all rows up to the one touched before. */
  readonly onSelect: (upTo: boolean) => void;
}

export function ClientRow({ index, columns, client, selected, onSelect }: ClientRowProps) {
  return (
    <tr
      className={classes.row}
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-selected={selected || undefined}
    >
      <td className={classes.selector}>
        <Checkbox
          size="xs"
          checked={selected}
          onChange={() => undefined}
          onClick={(event) => onSelect(event.shiftKey)}
          aria-label={text('select.one', { name: client.client_name })}
        />
      </td>
      {columns.map((column) => (
        <td key={column.id} className={classOfRoom(column)}>
          {column.cell(client)}
        </td>
      ))}
    </tr>
  );
}
