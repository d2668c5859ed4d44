import type { ClientDocument } from '../api/client-documents.js';
import { draw } from '../elements/draw.js';
import { text } from '../texts/clients.js';
import { classOfRoom, type ClientColumn, type RowContext } from './client-column.js';
import classes from './client-table.module.css';

/** What stands before and after the client's name. */
const SELECT = text('select.one', { name: '\n' }).split('\n');

/** A row of the table, drawn without React, and filled with one client after another. */
export class ClientRow {
  readonly node = draw<HTMLTableRowElement>(<tr className={classes.row} />);
  private readonly box = draw<HTMLInputElement>(
    <input type="checkbox" className={classes.check} tabIndex={-1} />,
  );
  private readonly cells;

  constructor(columns: readonly ClientColumn[]) {
    const selector = draw(<td className={classes.selector} tabIndex={-1} />);
    selector.append(this.box);
    this.node.append(selector);
    this.cells = columns.map((column) => {
      const content = column.newCell();
      const cell = draw(<td className={classOfRoom(column)} tabIndex={-1} />);
      cell.append(content.node);
      this.node.append(cell);
      return content;
    });
    const pointAt = () => {
      for (const cell of this.cells) cell.pointAt?.();
    };
    if (matchMedia('(hover: none)').matches) pointAt();
    for (const pointed of ['pointerenter', 'focusin'])
      this.node.addEventListener(pointed, pointAt, { once: true });
  }

  fill(client: ClientDocument, index: number, context: RowContext): void {
    this.node.setAttribute('data-index', String(index));
    this.node.setAttribute('aria-rowindex', String(index + 2));
    this.box.setAttribute('aria-label', SELECT.join(client.client_name));
    for (const cell of this.cells) cell.fill(client, context);
  }

  /** A click may have checked the box without the client being selected. */
  select(selected: boolean): void {
    this.box.checked = selected;
    if (this.node.ariaSelected === String(selected)) return;
    this.node.ariaSelected = String(selected);
    this.node.toggleAttribute('data-selected', selected);
  }
}

interface SkeletonRowProps {
  readonly index: number;
  readonly columns: readonly ClientColumn[];
}

/** A placeholder for a row that has not loaded. */
export function SkeletonRow({ index, columns }: SkeletonRowProps) {
  return (
    <tr className={`${classes.row} ${classes.loading}`} aria-hidden>
      <td />
      {columns.map((column) => (
        <td key={column.id} className={classOfRoom(column)}>
          <div className={classes.placeholder} style={{ width: `${40 + ((index * 17) % 40)}%` }} />
        </td>
      ))}
    </tr>
  );
}
