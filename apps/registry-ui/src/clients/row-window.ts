import type { ClientDocument } from '../api/client-documents.js';
import { whenIdle } from '../elements/when-idle.js';
import type { ClientColumn, RowContext } from './client-column.js';
import { ClientRow } from './client-row.js';
import classes from './client-table.module.css';

export interface RowsContent {
  readonly clients: readonly ClientDocument[];
  /** All rows are recreated if the columns change, but not if only their widths do. */
  readonly columns: readonly ClientColumn[];
  /** If this is a different object, all rows are refilled. */
  readonly context: RowContext;
  readonly isSelected: (clientId: string) => boolean;
  /** In pixels. */
  readonly rowHeight: number;
  /** Draws all rows, as on paper. */
  readonly all: boolean;
  /** Called when few rows are left below. */
  readonly onNearEnd: (() => void) | undefined;
  /** Called whenever other rows are drawn. */
  readonly onDrawn: () => void;
}

interface DrawnRow {
  readonly row: ClientRow;
  readonly client: ClientDocument;
  readonly index: number;
  readonly context: RowContext;
}

/** Row indexes; `end` is exclusive. */
interface Range {
  readonly first: number;
  readonly end: number;
}

/** Drawn after the visible rows. */
const ROWS_BEYOND_THE_EDGE = 10;

/** The next page is loaded when fewer rows than this are left below. */
const ROWS_AHEAD = 40;

/** The minimum height of what is above the rows. */
const LEAST_TOP_PX = 160;

/** The visible rows of a long table. Those that scroll out of view are reused for those that scroll in. */
export class RowWindow {
  private content: RowsContent | undefined;
  private range: Range = { first: 0, end: 0 };
  private beyond = 0;
  /**
   * Until then, the rows are those that fit into the window: measuring their place would compute the layout before they are
   * drawn.
   */
  private isMeasured = false;
  private readonly rows = new Map<string, DrawnRow>();
  private readonly above = newSpacer();
  private readonly below = newSpacer();
  private readonly scroller: HTMLElement;
  private readonly resizes = new ResizeObserver(() => this.drawScrolled());

  constructor(private readonly body: HTMLTableSectionElement) {
    this.scroller = body.closest<HTMLElement>(`.${classes.scroller}`) ?? body;
    this.scroller.addEventListener('scroll', this.drawScrolled, { passive: true });
    body.append(this.above, this.below);
  }

  stop(): void {
    this.scroller.removeEventListener('scroll', this.drawScrolled);
    this.resizes.disconnect();
    this.content = undefined;
    this.body.replaceChildren();
  }

  update(content: RowsContent): void {
    const former = this.content;
    this.content = content;
    if (former && idsOf(former.columns) !== idsOf(content.columns)) this.clear();
    this.draw(content, this.isMeasured ? this.rangeInSight(content) : firstRange(content));
    for (const { row, client } of this.rows.values()) row.select(content.isSelected(client.client_id));
    if (!former) whenIdle(this.drawBeyondTheEdge);
  }

  /** Scrolls a row into view. */
  reveal(index: number): void {
    if (!this.content) return;
    const { rowHeight } = this.content;
    const top = index * rowHeight;
    const leastScroll = top + rowHeight + this.body.offsetTop - this.scroller.clientHeight;
    if (this.scroller.scrollTop > top) this.scroller.scrollTop = top;
    else if (this.scroller.scrollTop < leastScroll) this.scroller.scrollTop = leastScroll;
    this.drawScrolled();
  }

  private readonly drawBeyondTheEdge = () => {
    this.beyond = ROWS_BEYOND_THE_EDGE;
    this.resizes.observe(this.scroller);
    this.drawScrolled();
  };

  private readonly drawScrolled = () => {
    if (!this.content) return;
    this.isMeasured = true;
    const range = this.rangeInSight(this.content);
    if (range.first !== this.range.first || range.end !== this.range.end) this.draw(this.content, range);
  };

  private rangeInSight({ clients: { length }, rowHeight, all }: RowsContent): Range {
    if (all) return { first: 0, end: length };
    const { clientHeight, scrollTop } = this.scroller;
    const first = Math.floor(Math.min(scrollTop, length * rowHeight - clientHeight) / rowHeight);
    const end = first + Math.ceil(clientHeight / rowHeight) + 1;
    return { first: Math.max(first - this.beyond, 0), end: Math.min(end + this.beyond, length) };
  }

  private draw(content: RowsContent, range: Range): void {
    const { clients, rowHeight, onDrawn, onNearEnd } = content;
    this.range = range;
    const shown = clients.slice(range.first, range.end);
    const unused = this.removeOthers(shown);
    let last: Element = this.above;
    shown.forEach((client, at) => {
      const { node } = this.drawRow(content, range.first + at, client, unused);
      if (last.nextElementSibling !== node) last.after(node);
      last = node;
    });
    setHeight(this.above, range.first * rowHeight);
    setHeight(this.below, (clients.length - range.end) * rowHeight);
    onDrawn();
    if (range.end > clients.length - ROWS_AHEAD) onNearEnd?.();
  }

  /** @returns the removed rows, for reuse, except one with the focus, which must not become another client's */
  private removeOthers(shown: readonly ClientDocument[]): ClientRow[] {
    const ids = new Set(shown.map(({ client_id }) => client_id));
    const unused: ClientRow[] = [];
    for (const [id, { row }] of this.rows) {
      if (ids.has(id)) continue;
      if (!row.node.contains(document.activeElement)) unused.push(row);
      row.node.remove();
      this.rows.delete(id);
    }
    return unused;
  }

  private drawRow(
    { columns, context, isSelected }: RowsContent,
    index: number,
    client: ClientDocument,
    unused: ClientRow[],
  ): ClientRow {
    const known = this.rows.get(client.client_id);
    if (known?.client === client && known.index === index && known.context === context) return known.row;
    const row = known?.row ?? unused.pop() ?? new ClientRow(columns);
    row.fill(client, index, context);
    row.select(isSelected(client.client_id));
    this.rows.set(client.client_id, { row, client, index, context });
    return row;
  }

  private clear(): void {
    for (const { row } of this.rows.values()) row.node.remove();
    this.rows.clear();
  }
}

function idsOf(columns: readonly ClientColumn[]): string {
  return columns.map(({ id }) => id).join();
}

function firstRange({ clients: { length }, rowHeight, all }: RowsContent): Range {
  const fitting = Math.max(Math.ceil((innerHeight - LEAST_TOP_PX) / rowHeight), 1);
  return { first: 0, end: all ? length : Math.min(fitting, length) };
}

function newSpacer(): HTMLTableRowElement {
  const spacer = document.createElement('tr');
  spacer.className = classes.spacer ?? '';
  spacer.ariaHidden = 'true';
  spacer.insertCell();
  return spacer;
}

function setHeight(spacer: HTMLTableRowElement, px: number): void {
  spacer.hidden = px <= 0;
  spacer.cells[0]?.style.setProperty('height', `${Math.max(px, 0)}px`);
}
