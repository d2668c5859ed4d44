import { Checkbox, Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import type { Selection } from '../bulk/use-selection.js';
import { text } from '../texts/text.js';
import { classOfRoom, type ClientColumn, leastWidths } from './client-column.js';
import classes from './client-table.module.css';
import { TableHead } from './table-head.js';
import { useGridFocus } from './use-grid-focus.js';

const ROW_HEIGHT = 44;
const ROWS_BEYOND_THE_EDGE = 10;

/** The next page is loaded when fewer rows than this are left below. */
const ROWS_AHEAD = 40;

const SKELETONS = 12;

interface ClientTableProps {
  readonly clients: readonly ClientDocument[] | undefined;
  readonly columns: readonly ClientColumn[];
  readonly selection: Selection;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** The rows belong to the previous search. */
  readonly stale: boolean;
  /** A change of this scrolls the list to the top. */
  readonly listKey: string;
  readonly hasMore: boolean;
  /** Called near the end of the loaded rows. */
  readonly onNearEnd: () => void;
}

/** Clients as a virtualized table: only visible rows are rendered. */
export function ClientTable(props: ClientTableProps) {
  // State rather than a ref: effects of the rows run before a parent's ref is set.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { listKey } = props;
  useEffect(() => {
    scroller?.scrollTo({ top: 0 });
  }, [scroller, listKey]);
  return (
    <div ref={setScroller} className={classes.scroller}>
      <Grid {...props} scroller={scroller} />
    </div>
  );
}

interface GridProps extends ClientTableProps {
  readonly scroller: HTMLDivElement | null;
}

function Grid(props: GridProps) {
  const { clients, columns, selection, sort, onSort, stale, hasMore, onNearEnd, scroller } = props;
  /** Rows including placeholders. */
  const count = clients?.length ?? SKELETONS;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    overscan: ROWS_BEYOND_THE_EDGE,
  });
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const nearEnd = clients !== undefined && !stale && hasMore && lastShown >= count - ROWS_AHEAD;
  useEffect(() => {
    if (nearEnd) onNearEnd();
  }, [nearEnd, onNearEnd]);
  const focus = useGridFocus({
    count,
    reveal: (index) => virtualizer.scrollToIndex(index),
    select: selection.toggle,
  });
  return (
    <table
      {...focus}
      role="grid"
      className={classes.table}
      style={leastWidths(columns)}
      aria-label={text('clients.title')}
      aria-multiselectable
      aria-rowcount={hasMore ? -1 : count + 1}
      aria-busy={clients === undefined || stale}
    >
      <TableHead
        columns={columns}
        sort={sort}
        onSort={onSort}
        selection={selection}
        rowCount={clients?.length ?? 0}
      />
      <tbody>
        <Spacer height={rows[0]?.start ?? 0} />
        {rows.map(({ index }) => (
          <TableRow key={clients?.[index]?.client_id ?? index} {...props} index={index} />
        ))}
        <Spacer height={virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0)} />
      </tbody>
    </table>
  );
}

function TableRow({ clients, columns, selection, index }: ClientTableProps & { readonly index: number }) {
  const client = clients?.[index];
  if (!client) return <SkeletonRow index={index} columns={columns} />;
  return (
    <ClientRow
      index={index}
      columns={columns}
      client={client}
      selected={selection.has(client.client_id)}
      onSelect={(upTo) => selection.toggle(index, upTo)}
    />
  );
}

interface SkeletonRowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
}

/** A placeholder for a row that has not loaded. */
function SkeletonRow({ index, columns }: SkeletonRowProps) {
  return (
    <tr className={classes.row} aria-hidden>
      <td />
      {columns.map((column) => (
        <td key={column.id} className={classOfRoom(column)}>
          <Skeleton height={12} width={`${40 + ((index * 17) % 40)}%`} />
        </td>
      ))}
    </tr>
  );
}

/** Takes the space of rows that are not rendered. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={classes.spacer}>
      <td style={{ height }} />
    </tr>
  );
}

interface ClientRowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
  readonly client: ClientDocument;
  readonly selected: boolean;
  /** `upTo`: with all rows between it and the last one toggled. */
  readonly onSelect: (upTo: boolean) => void;
}

function ClientRow({ index, columns, client, selected, onSelect }: ClientRowProps) {
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
