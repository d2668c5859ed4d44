import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import type { Selection } from '../bulk/use-selection.js';
import { SharedTooltip } from '../elements/shared-tooltip.js';
import { text } from '../texts/text.js';
import { leastWidths, type Searched } from './client-column.js';
import { SkeletonRow } from './client-row.js';
import { ClientRows } from './client-rows.js';
import classes from './client-table.module.css';
import type { RowWindow } from './row-window.js';
import { TableHead } from './table-head.js';
import type { TableSettings } from './table-settings.js';
import { useArrangeKeys } from './use-arrange-keys.js';
import { useGridFocus } from './use-grid-focus.js';

const SKELETONS = 12;

interface ClientTableProps {
  readonly clients: readonly ClientDocument[] | undefined;
  readonly settings: TableSettings;
  readonly searched: Searched;
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

/** Clients as a virtualized table: only visible rows are drawn. */
export function ClientTable(props: ClientTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { listKey, settings } = props;
  const shownKey = useRef(listKey);
  useEffect(() => {
    // A new list is at the top, and scrolling it would compute its layout once more.
    if (shownKey.current !== listKey) scroller.current?.scrollTo({ top: 0 });
    shownKey.current = listKey;
  }, [listKey]);
  return (
    <div ref={scroller} className={classes.scroller} data-density={settings.density}>
      <Grid {...props} />
      <SharedTooltip within={scroller} />
    </div>
  );
}

function Grid(props: ClientTableProps) {
  const { clients, settings, selection, sort, onSort, stale, hasMore } = props;
  const { columns } = settings;
  const count = clients?.length ?? SKELETONS;
  const windowRef = useRef<RowWindow>(null);
  const arrange = useArrangeKeys(settings);
  const { keepStopAfterScrolling, ...focus } = useGridFocus({
    count,
    reveal: (index) => windowRef.current?.reveal(index),
    select: selection.toggle,
    arrange: arrange.byKey,
  });
  return (
    <>
      <VisuallyHidden role="status">{arrange.announced}</VisuallyHidden>
      <table
        {...focus}
        role="grid"
        className={classes.table}
        style={leastWidths(columns)}
        aria-label={text('clients.title')}
        aria-multiselectable
        aria-rowcount={hasMore ? -1 : count + 1}
        aria-busy={clients === undefined || stale}
        data-fixed={columns[0]?.width === undefined ? undefined : ''}
      >
        <TableHead
          settings={settings}
          sort={sort}
          onSort={onSort}
          selection={selection}
          rowCount={clients?.length ?? 0}
        />
        {clients ? (
          <ClientRows {...props} clients={clients} windowRef={windowRef} onDrawn={keepStopAfterScrolling} />
        ) : (
          <SkeletonRows columns={columns} />
        )}
      </table>
    </>
  );
}

function SkeletonRows({ columns }: Pick<TableSettings, 'columns'>) {
  return (
    <tbody>
      {[...Array(SKELETONS).keys()].map((index) => (
        <SkeletonRow key={index} index={index} columns={columns} />
      ))}
    </tbody>
  );
}
