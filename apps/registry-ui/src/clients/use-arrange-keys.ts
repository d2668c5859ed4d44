import { type KeyboardEvent, useState } from 'react';
import { text } from '../texts/clients.js';
import { resizedBy, WIDTH_STEP_PX } from './arrange-columns.js';
import type { TableSettings } from './table-settings.js';

interface ArrangeKeys {
  /** For screen readers. */
  readonly announced: string;
  /** Shift with an arrow resizes a column; with Ctrl or Command, it moves it. Returns the column's new index. */
  byKey(event: KeyboardEvent, heading: HTMLTableCellElement): number | undefined;
}

/** Resizing and moving columns from their headings by keyboard. */
export function useArrangeKeys({ columns, move, setWidths }: TableSettings): ArrangeKeys {
  const [announced, setAnnounced] = useState('');
  const byKey = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, heading: HTMLTableCellElement) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const at = columns.findIndex(({ id }) => id === heading.dataset['column']);
    const column = columns[at];
    if (!column || !shiftKey || step === 0) return undefined;
    if (!ctrlKey && !metaKey) {
      const widths = resizedBy(heading, step * WIDTH_STEP_PX);
      setWidths(widths);
      setAnnounced(text('columns.resized', { label: column.label, count: widths[column.id] ?? 0 }));
      return heading.cellIndex;
    }
    const other = columns[at + step];
    if (!other || other.always || column.always) return heading.cellIndex;
    move(column.id, other.id);
    setAnnounced(text('columns.moved', { label: column.label, position: at + step + 1 }));
    return heading.cellIndex + step;
  };
  return { announced, byKey };
}
