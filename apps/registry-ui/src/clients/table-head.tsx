import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Selection } from '../bulk/use-selection.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/clients.js';
import { dragEdge, dragHeading, fitted } from './arrange-columns.js';
import { classOfRoom, type ClientColumn } from './client-column.js';
import classes from './client-table.module.css';
import type { TableSettings } from './table-settings.js';

interface TableHeadProps {
  readonly settings: TableSettings;
  /** As in `GET /client`: a leading minus means descending. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly selection: Selection;
  readonly rowCount: number;
}

/** Column headings; sortable ones are buttons. Dragging one moves its column, dragging its edge resizes it. */
export function TableHead({ settings, sort, onSort, selection, rowCount }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1} data-index={-1}>
        <th scope="col" className={classes.selector} tabIndex={-1}>
          <SelectAll selection={selection} rowCount={rowCount} />
        </th>
        {settings.columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            style={{ width: column.width }}
            className={classOfRoom(column)}
            aria-sort={directionOf(column, sort)}
            data-column={column.id}
            tabIndex={-1}
            onPointerDown={(event) => {
              if (!column.always) dragHeading(event, settings.move);
            }}
          >
            {column.sort === undefined ? (
              column.label
            ) : (
              <SortButton column={column} sort={sort} onSort={onSort} />
            )}
            <Edge onResize={settings.setWidths} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Keys on the heading do the same, so this needs no name. */
function Edge({ onResize }: { readonly onResize: TableSettings['setWidths'] }) {
  return (
    <span
      aria-hidden
      className={classes.edge}
      title={text('columns.resize')}
      onPointerDown={(event) => dragEdge(event, onResize)}
      onDoubleClick={({ currentTarget }) => {
        const heading = currentTarget.closest('th');
        if (heading) onResize(fitted(heading));
      }}
    />
  );
}

interface SelectAllProps {
  readonly selection: Selection;
  readonly rowCount: number;
}

function SelectAll({ selection, rowCount }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  const selected = selection.clients.length;
  const isSome = selected > 0 && selected < rowCount;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.check}
      checked={selected > 0 && selected === rowCount}
      disabled={rowCount === 0}
      onChange={selection.toggleAll}
      tabIndex={-1}
      aria-label={text('select.all')}
    />
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
    <UnstyledButton
      className={classes.sort}
      tabIndex={-1}
      onClick={() => onSort(sort === first ? other : first)}
    >
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
