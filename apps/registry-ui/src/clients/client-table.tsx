import { Skeleton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-columns.js';
import classes from './client-table.module.css';
import { moveBetweenRows } from './move-between-rows.js';

const ROW_HEIGHT = 44;
const ROWS_BEYOND_THE_EDGE = 10;

/** When fewer rows than this are left below, the next page is fetched. */
const ROWS_AHEAD = 40;

const SKELETONS = 12;

interface ClientTableProps {
  readonly clients: readonly ClientDocument[] | undefined;
  readonly columns: readonly ClientColumn[];
  readonly hasMore: boolean;
  /** Called when the end of what is loaded comes near. */
  readonly onNearEnd: () => void;
}

/** Clients as rows, of which only those in view are drawn, however many there are. */
export function ClientTable({ clients, columns, hasMore, onNearEnd }: ClientTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const count = clients?.length ?? SKELETONS;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: ROWS_BEYOND_THE_EDGE,
  });
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const nearEnd = clients !== undefined && hasMore && lastShown >= count - ROWS_AHEAD;
  useEffect(() => {
    if (nearEnd) onNearEnd();
  }, [nearEnd, onNearEnd]);
  return (
    <div ref={scroller} className={classes.scroller}>
      <table
        className={classes.table}
        aria-label={text('clients.title')}
        aria-rowcount={hasMore ? -1 : count + 1}
        aria-busy={clients === undefined}
      >
        <TableHead columns={columns} />
        <tbody
          onKeyDown={(event) => moveBetweenRows(event, count, (index) => virtualizer.scrollToIndex(index))}
        >
          <Spacer height={rows[0]?.start ?? 0} />
          {rows.map(({ index }) => (
            <Row key={index} index={index} columns={columns} client={clients?.[index]} />
          ))}
          <Spacer height={virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

function TableHead({ columns }: { readonly columns: readonly ClientColumn[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ id, name, width, wideOnly }) => (
          <th key={id} scope="col" style={{ width }} className={wideOnly ? classes.visiblyWide : undefined}>
            {text(name)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
  readonly client: ClientDocument | undefined;
}

function Row({ index, columns, client }: RowProps) {
  return (
    <tr className={classes.row} data-index={index} aria-rowindex={index + 2}>
      {columns.map(({ id, wideOnly, cell }) => (
        <td key={id} className={wideOnly ? classes.visiblyWide : undefined}>
          {client ? cell(client) : <Skeleton height={12} width={`${40 + ((index * 17) % 40)}%`} />}
        </td>
      ))}
    </tr>
  );
}

/** Takes the room of the rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={classes.spacer}>
      <td style={{ height }} />
    </tr>
  );
}
