import { type ClipboardEvent, type RefObject, useState } from 'react';
import { text } from '../texts/form.js';
import type { Pasted } from './pasted-uris.js';

interface UriRows {
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly most: number;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly readPasted: (text: string) => Pasted;
}

/** Operations on the rows of a list, which has at least one and at most `most`. */
export function useUriRows({ value, onChange, most, list, readPasted }: UriRows) {
  const [pasted, setPasted] = useState<string>();
  const focusRow = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus());
  const add = (index: number) => {
    if (value.length >= most) return;
    onChange(value.toSpliced(index, 0, ''));
    focusRow(index);
  };
  const remove = (index: number) => {
    onChange(value.length === 1 ? [''] : value.toSpliced(index, 1));
    focusRow(Math.max(index - 1, 0));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>, index: number) => {
    const { entries, invisible } = readPasted(event.clipboardData.getData('text'));
    const input = event.currentTarget;
    const replaced = isAllSelected(input) ? 1 : 0;
    // Existing rows are never dropped to make room.
    const taken = entries.length < 2 ? entries : entries.slice(0, most - value.length + replaced);
    setPasted(reportOf(invisible, entries.length - taken.length, entries.length, most));
    // A single clean URI is inserted at the cursor, as in any other input.
    if (entries.length < 2 && invisible === 0) return;
    event.preventDefault();
    if (entries.length < 2) return insertAtCursor(input, entries[0] ?? '');
    const at = index + 1 - replaced;
    onChange(value.toSpliced(at, replaced, ...taken));
    focusRow(at + taken.length - 1);
  };
  return { pasted, add, remove, paste };
}

/** Reports what pasting did beyond the obvious; `undefined` if nothing. */
function reportOf(invisible: number, left: number, all: number, most: number): string | undefined {
  const messages = [
    invisible > 0 && text('form.uri.invisible', { count: invisible }),
    left > 0 && text('form.uri.left', { count: left, all, most }),
  ].filter((sentence) => sentence !== false);
  return messages.length > 0 ? messages.join(' ') : undefined;
}

/** Also true for an empty input. */
function isAllSelected({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === 0 && selectionEnd === value.length;
}

/** Inserts text as the browser would, and notifies the form. */
function insertAtCursor(input: HTMLInputElement, inserted: string): void {
  const { selectionStart, selectionEnd, value } = input;
  input.setRangeText(inserted, selectionStart ?? value.length, selectionEnd ?? value.length, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
