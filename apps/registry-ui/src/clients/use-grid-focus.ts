import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/** A cell by row index, where the heading is row -1, and column. */
interface Place {
  readonly row: number;
  readonly column: number;
}

interface RowActions {
  /** All rows, rendered or not. */
  readonly count: number;
  /** Scrolls a row into view, and draws it. */
  readonly reveal: (index: number) => void;
  /** `upTo`: with all rows between it and the last one toggled. */
  readonly select: (index: number, upTo: boolean) => void;
  /** Handles a key on a heading; returns the column that the focus moves to, if it is one of its keys. */
  readonly arrange: (event: KeyboardEvent, heading: HTMLTableCellElement) => number | undefined;
}

const HEADING = -1;
const PAGE_ROWS = 10;

/** Scrolling has ended when no other rows have been drawn for this long. */
const STILL_MS = 100;

/** Selects the focused row, as in mail clients. */
const SELECT_KEY = 'x';

/** The first tab stop: the name in the first row, which is a link. */
const START: Place = { row: 0, column: 1 };

const WIDGETS = 'a[href], button, input:not(:disabled)';

/**
 * Keyboard navigation in a table, following the grid pattern of the ARIA Authoring Practices: the table is one tab stop,
 * and arrow keys move from cell to cell.
 *
 * @returns props of the table element, and what keeps the tab stop in it once other rows are drawn
 */
export function useGridFocus({ count, reveal, select, arrange }: RowActions) {
  const table = useRef<HTMLTableElement>(null);
  const place = useRef(START);
  const { keepStop, keepStopAfterScrolling } = useTabStop(table, place);
  useLayoutEffect(keepStop);
  const focusAt = (next: Place) => {
    place.current = next;
    if (next.row !== HEADING) reveal(next.row);
    keepStop();
    stopIn(cellAt(table.current, next))?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const at = placeOf(event.target, event.currentTarget);
    if (!at || event.altKey) return;
    const heading = at.row === HEADING ? cellAt(table.current, at) : undefined;
    const arranged = heading && arrange(event, heading);
    if (arranged !== undefined) {
      event.preventDefault();
      // The heading has moved by then.
      requestAnimationFrame(() => focusAt({ row: HEADING, column: arranged }));
      return;
    }
    if (event.metaKey) return;
    const next = stepFrom(at, event, count, table.current);
    if (next) {
      event.preventDefault();
      focusAt(next);
    } else if (event.key.toLowerCase() === SELECT_KEY && !event.ctrlKey && at.row !== HEADING) {
      event.preventDefault();
      select(at.row, event.shiftKey);
    }
  };
  const onFocus = (event: FocusEvent<HTMLTableElement>) => {
    const at = placeOf(event.target, event.currentTarget);
    if (!at) return;
    place.current = at;
    keepStop();
  };
  return { ref: table, onKeyDown, onFocus, keepStopAfterScrolling };
}

/** Keeps the tab stop at a cell, or near it while its row is not drawn. */
function useTabStop(table: RefObject<HTMLTableElement | null>, place: RefObject<Place>) {
  const stop = useRef<HTMLElement>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keepStop = () => {
    const next = stopNear(table.current, place.current);
    if (stop.current === next) return;
    if (stop.current) stop.current.tabIndex = -1;
    if (next) next.tabIndex = 0;
    stop.current = next;
  };
  const keepStopAfterScrolling = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(keepStop, STILL_MS);
  };
  return { keepStop, keepStopAfterScrolling };
}

/** Moves the focus to the list if the focused element is gone. */
export function focusGrid(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus({ preventScroll: true });
  });
}

/** The destination of a key; `undefined` for other keys. */
function stepFrom(
  at: Place,
  { key, ctrlKey }: KeyboardEvent,
  count: number,
  table: HTMLTableElement | null,
): Place | undefined {
  const columns = shownColumns(table, at.row);
  const index = columns.indexOf(at.column);
  const toRow = (row: number, first: number) => ({ ...at, row: Math.min(Math.max(row, first), count - 1) });
  const toColumn = (to: number) => ({ ...at, column: columns.at(to) ?? at.column });
  const steps: Readonly<Record<string, () => Place>> = {
    ArrowDown: () => toRow(at.row + 1, HEADING),
    ArrowUp: () => toRow(at.row - 1, HEADING),
    PageDown: () => toRow(at.row + PAGE_ROWS, 0),
    PageUp: () => toRow(at.row - PAGE_ROWS, 0),
    ArrowRight: () => toColumn(Math.min(index + 1, columns.length - 1)),
    ArrowLeft: () => toColumn(Math.max(index - 1, 0)),
    Home: () => (ctrlKey ? toRow(0, 0) : toColumn(0)),
    End: () => (ctrlKey ? toRow(count - 1, 0) : toColumn(-1)),
  };
  return Object.hasOwn(steps, key) ? steps[key]?.() : undefined;
}

/** The only tab stop: in a cell, or in the nearest row that is drawn. */
function stopNear(table: HTMLTableElement | null, place: Place): HTMLElement | undefined {
  if (!table) return undefined;
  const row = rowAt(table, place.row) ?? nearestRow(table, place.row);
  const column = row && nearestColumn(table, indexOf(row), place.column);
  return column === undefined ? undefined : stopIn(row?.cells[column]);
}

/** Columns may be hidden in narrow windows. */
function nearestColumn(table: HTMLTableElement, row: number, column: number): number | undefined {
  // The first columns are always shown. Testing the others reads computed styles, too slow for every render.
  if (column <= START.column) return column;
  const columns = shownColumns(table, row);
  return columns.includes(column) ? column : columns.findLast((shown) => shown < column);
}

function shownColumns(table: HTMLTableElement | null, row: number): number[] {
  const cells = [...(rowAt(table, row)?.cells ?? [])];
  return cells.flatMap((cell, column) => (cell.checkVisibility() ? [column] : []));
}

/** The focusable element in a cell: its control, else the cell itself. */
function stopIn(cell: HTMLElement | undefined): HTMLElement | undefined {
  return cell?.querySelector<HTMLElement>(WIDGETS) ?? cell;
}

function cellAt(table: HTMLTableElement | null, { row, column }: Place): HTMLTableCellElement | undefined {
  return rowAt(table, row)?.cells[column];
}

/** Only rows in or near view are in the table, consecutively, between two spacer rows. */
function rowAt(table: HTMLTableElement | null, row: number): HTMLTableRowElement | undefined {
  if (row === HEADING) return table?.tHead?.rows[0];
  const { first, last } = drawnRows(table);
  if (!first || !last || row < indexOf(first) || row > indexOf(last)) return undefined;
  const found = table?.tBodies[0]?.rows[1 + row - indexOf(first)];
  return found && indexOf(found) === row ? found : undefined;
}

function nearestRow(table: HTMLTableElement, row: number): HTMLTableRowElement | undefined {
  const { first, last } = drawnRows(table);
  return (first && row < indexOf(first) ? first : last) ?? table.tHead?.rows[0];
}

/** Found from the ends of the table's body: its `rows` collection is rebuilt whenever other rows are drawn. */
function drawnRows(table: HTMLTableElement | null) {
  const body = table?.tBodies[0];
  return {
    first: asRow(body?.firstElementChild?.nextElementSibling),
    last: asRow(body?.lastElementChild?.previousElementSibling),
  };
}

/** `undefined` for anything but a client's row. */
function asRow(element: Element | null | undefined): HTMLTableRowElement | undefined {
  return element instanceof HTMLTableRowElement && element.dataset['index'] !== undefined
    ? element
    : undefined;
}

/** The cell of an event; `undefined` for events from a dialog opened by a cell. */
function placeOf(target: EventTarget, table: HTMLTableElement): Place | undefined {
  const cell = target instanceof Element ? target.closest('td, th') : null;
  if (!(cell instanceof HTMLTableCellElement) || !table.contains(cell)) return undefined;
  const row = cell.closest('tr');
  return row ? { row: indexOf(row), column: cell.cellIndex } : undefined;
}

function indexOf(row: HTMLTableRowElement): number {
  return Number(row.dataset['index']);
}
