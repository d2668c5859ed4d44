import type { PointerEvent } from 'react';
import { type ColumnWidths, limitWidth } from './table-settings.js';

/** Where the id of a column is in its heading. */
const ID = 'column';

/** How much one press of a key or button resizes a column. */
export const WIDTH_STEP_PX = 16;

/** A press that moves less is a click. */
const DRAG_PX = 6;

/** Resizes a column while the pointer drags the edge of its heading. */
export function dragEdge(event: PointerEvent<HTMLElement>, onResize: (widths: ColumnWidths) => void): void {
  const heading = event.currentTarget.closest('th');
  if (!heading || event.button !== 0) return;
  event.preventDefault();
  event.stopPropagation();
  const start = { x: event.clientX, width: heading.offsetWidth };
  let widths: ColumnWidths | undefined;
  follow(event, {
    onMove: ({ clientX }) => {
      const width = limitWidth(start.width + clientX - start.x);
      widths = { ...(widths ?? freezeWidths(heading)), [heading.dataset[ID] ?? '']: width };
      heading.style.width = `${width}px`;
    },
    onEnd: () => {
      if (widths) onResize(widths);
    },
  });
}

/** The widths that the headings have now, so that resizing one leaves the others as they are. */
function freezeWidths(heading: HTMLTableCellElement): ColumnWidths {
  const headings = headingsBeside(heading).filter((one) => one.offsetWidth > 0);
  const widths = headings.map((one) => [one.dataset[ID] ?? '', one.offsetWidth] as const);
  for (const one of headings) one.style.width = `${one.offsetWidth}px`;
  heading.closest('table')?.setAttribute('data-fixed', '');
  return Object.fromEntries(widths);
}

/** All widths after one column was made wider or narrower by some pixels. */
export function resizedBy(heading: HTMLTableCellElement, deltaPx: number): ColumnWidths {
  const width = limitWidth(heading.offsetWidth + deltaPx);
  return { ...freezeWidths(heading), [heading.dataset[ID] ?? '']: width };
}

/** The heading of a column, if there is room for it. */
export function headingOf(columnId: string): HTMLTableCellElement | undefined {
  const headings = [...document.querySelectorAll<HTMLTableCellElement>(`th[data-${ID}]`)];
  return headings.find((one) => one.dataset[ID] === columnId && one.offsetWidth > 0);
}

/** All widths with one column as wide as the content of the rows that are drawn. */
export function fitted(heading: HTMLTableCellElement): ColumnWidths {
  const widths = freezeWidths(heading);
  const { style } = heading.closest('table') ?? heading;
  const former = { tableLayout: style.tableLayout, width: style.width, minWidth: style.minWidth };
  heading.style.width = 'auto';
  Object.assign(style, { tableLayout: 'auto', width: 'max-content', minWidth: '0' });
  const width = limitWidth(heading.offsetWidth);
  Object.assign(style, former);
  return { ...widths, [heading.dataset[ID] ?? '']: width };
}

/** Moves a column while the pointer drags its heading; a click stays a click. */
export function dragHeading(
  event: PointerEvent<HTMLTableCellElement>,
  onMove: (id: string, target: string) => void,
): void {
  // Fingers scroll the table; the menu of columns moves them, too.
  if (event.button !== 0 || event.pointerType === 'touch') return;
  const heading = event.currentTarget;
  const start = event.clientX;
  let target: HTMLTableCellElement | undefined;
  follow(event, {
    captures: ({ clientX }) => Math.abs(clientX - start) >= DRAG_PX,
    onMove: ({ clientX }) => {
      target?.removeAttribute('data-drop');
      target = headingsBeside(heading)
        .slice(1)
        .find((one) => one !== heading && isAt(one, clientX));
      target?.setAttribute('data-drop', clientX < start ? 'before' : 'after');
    },
    onEnd: () => {
      target?.removeAttribute('data-drop');
      if (target) onMove(heading.dataset[ID] ?? '', target.dataset[ID] ?? '');
    },
  });
}

interface Following {
  /** Whether the pointer has moved far enough to be a drag. */
  readonly captures?: (event: globalThis.PointerEvent) => boolean;
  readonly onMove: (event: globalThis.PointerEvent) => void;
  readonly onEnd: () => void;
}

/** Follows the pointer until it is released. A fast one has left the element by its first move. */
function follow(pressed: PointerEvent<HTMLElement>, { captures, onMove, onEnd }: Following): void {
  const { pointerId } = pressed;
  const element: HTMLElement = pressed.currentTarget;
  const events = new AbortController();
  const { signal } = events;
  const begin = () => element.setPointerCapture(pointerId);
  if (!captures) begin();
  document.addEventListener(
    'pointermove',
    (event) => {
      // While the pointer is captured, releasing it over a button does not click that button.
      if (captures?.(event)) begin();
      if (element.hasPointerCapture(pointerId)) onMove(event);
    },
    { signal },
  );
  const end = () => {
    events.abort();
    onEnd();
  };
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    document.addEventListener(kind, end, { signal });
  }
}

function headingsBeside(heading: HTMLTableCellElement): HTMLTableCellElement[] {
  return [...(heading.closest('tr')?.cells ?? [])].filter((one) => one.dataset[ID] !== undefined);
}

function isAt(heading: HTMLElement, x: number): boolean {
  const { left, right } = heading.getBoundingClientRect();
  return left <= x && x < right;
}
