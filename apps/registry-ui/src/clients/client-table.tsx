import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import type { Selection } from '../bulk/use-selection.js';
import { usePrinting } from '../elements/printing.js';
import { SharedTooltip } from '../elements/shared-tooltip.js';
import { whenIdle } from '../elements/when-idle.js';
import { text } from '../texts/text.js';
import { leastWidths, type Searched } from './client-column.js';
import { ClientRow, SkeletonRow } from './client-row.js';
import classes from './client-table.module.css';
import { TableHead } from './table-head.js';
import { DENSITIES, type TableSettings } from './table-settings.js';
import { useArrangeKeys } from './use-arrange-keys.js';
import { useGridFocus } from './use-grid-focus.js';

/** Rendered once those in sight are drawn. */
const ROWS_BEYOND_THE_EDGE = 10;

/** The next page is loaded when fewer rows than this are left below. */
const ROWS_AHEAD = 40;

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

/** Clients as a virtualized table: only visible rows are rendered. */
export function ClientTable(props: ClientTableProps) {
  // State rather than a ref: effects of the rows run before a parent's ref is set.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const { listKey, settings } = props;
  useEffect(() => {
    scroller?.scrollTo({ top: 0 });
  }, [scroller, listKey]);
  return (
    <div ref={setScroller} className={classes.scroller} data-density={settings.density}>
      <Grid {...props} scroller={scroller} />
      <SharedTooltip within={scroller} />
    </div>
  );
}

interface GridProps extends ClientTableProps {
  readonly scroller: HTMLDivElement | null;
}

function Grid(props: GridProps) {
  const { clients, settings, selection, sort, onSort, stale, hasMore } = props;
  const { columns } = settings;
  const { count, rows, virtualizer } = useRows(props);
  const arrange = useArrangeKeys(settings);
  const focus = useGridFocus({
    count,
    reveal: (index) => virtualizer.scrollToIndex(index),
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
        <tbody onClick={(event) => selectClicked(event, selection)}>
          <Spacer height={rows[0]?.start ?? 0} />
          {rows.map(({ index }) => (
            <TableRow key={clients?.[index]?.client_id ?? index} {...props} index={index} />
          ))}
          <Spacer height={virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </>
  );
}

/** The rows to draw, of all that are loaded: on paper, all of them. More are loaded near the end. */
function useRows({ clients, settings: { density }, stale, hasMore, onNearEnd, scroller }: GridProps) {
  /** Rows including placeholders. */
  const count = clients?.length ?? SKELETONS;
  const printing = usePrinting();
  const overscan = useOverscan(clients !== undefined);
  const virtualizer = useVirtualizer({
    count,
    rangeExtractor: printing ? () => [...Array(count).keys()] : defaultRangeExtractor,
    getScrollElement: () => scroller,
    estimateSize: () => DENSITIES[density],
    overscan,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, density]);
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const canLoad = clients !== undefined && !stale && hasMore && !printing;
  const nearEnd = canLoad && lastShown >= count - ROWS_AHEAD;
  useEffect(() => {
    if (nearEnd) onNearEnd();
  }, [nearEnd, onNearEnd]);
  return { count, rows, virtualizer };
}

function useOverscan(loaded: boolean): number {
  const [overscan, setOverscan] = useState(0);
  useEffect(() => {
    if (loaded) whenIdle(() => setOverscan(ROWS_BEYOND_THE_EDGE));
  }, [loaded]);
  return overscan;
}

/** Clicks on a row's checkbox, or beside it. */
function selectClicked({ target, shiftKey }: MouseEvent, selection: Selection): void {
  const row = target instanceof Element && target.closest(`.${classes.selector}`)?.closest('tr');
  if (row) selection.toggle(Number(row.dataset['index']), shiftKey);
}

function TableRow({
  clients,
  settings,
  searched,
  selection,
  index,
}: ClientTableProps & { readonly index: number }) {
  const client = clients?.[index];
  if (!client) return <SkeletonRow index={index} columns={settings.columns} />;
  return (
    <ClientRow
      index={index}
      columns={settings.columns}
      client={client}
      searched={searched}
      selected={selection.has(client.client_id)}
    />
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
