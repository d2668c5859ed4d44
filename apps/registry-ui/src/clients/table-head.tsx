import { Checkbox, UnstyledButton } from '@mantine/core';
import type { Selection } from '../bulk/use-selection.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import { classOfRoom, type ClientColumn } from './client-column.js';
import classes from './client-table.module.css';

interface TableHeadProps {
  readonly columns: readonly ClientColumn[];
  /** As in `GET /client`: a leading minus means descending. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly selection: Selection;
  readonly rowCount: number;
}

/** Column headings; sortable ones are buttons. */
export function TableHead({ columns, sort, onSort, selection, rowCount }: TableHeadProps) {
  const selected = selection.clients.length;
  return (
    <thead>
      <tr aria-rowindex={1} data-index={-1}>
        <th scope="col" className={classes.selector}>
          <Checkbox
            size="xs"
            checked={selected > 0 && selected === rowCount}
            indeterminate={selected > 0 && selected < rowCount}
            disabled={rowCount === 0}
            onChange={selection.toggleAll}
            aria-label={text('select.all')}
          />
        </th>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            style={{ width: column.width }}
            className={classOfRoom(column)}
            aria-sort={directionOf(column, sort)}
          >
            {column.sort === undefined ? (
              column.label
            ) : (
              <SortButton column={column} sort={sort} onSort={onSort} />
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface SortButtonProps {
  readonly column: ClientColumn;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

function SortButton({ column, sort, onSort }: SortButtonProps) {
  const { label, sort: key = '', lastFirst = false } = column;
  const direction = directionOf(column, sort);
  const first = lastFirst ? `-${key}` : key;
  const other = lastFirst ? key : `-${key}`;
  return (
    <UnstyledButton className={classes.sort} onClick={() => onSort(sort === first ? other : first)}>
      {label}
      {direction && <Icon name={direction === 'ascending' ? 'up' : 'down'} size={12} />}
    </UnstyledButton>
  );
}

function directionOf({ sort: key }: ClientColumn, sort: string): 'ascending' | 'descending' | undefined {
  if (key === undefined) return undefined;
  if (sort === key) return 'ascending';
  return sort === `-${key}` ? 'descending' : undefined;
}
