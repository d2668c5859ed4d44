import { type ClipboardEvent, type RefObject, useState } from 'react';
import { text } from '../texts/text.js';
import { readPastedUris } from './pasted-uris.js';

/** What can be done with the rows of a list. There is always one, and never more than `most`. */
export function useUriRows(
  value: readonly string[],
  onChange: (value: string[]) => void,
  most: number,
  list: RefObject<HTMLDivElement | null>,
) {
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
    const { uris, invisible } = readPastedUris(event.clipboardData.getData('text'));
    const input = event.currentTarget;
    const replaced = isAllSelected(input) ? 1 : 0;
    // What was there is never cut for what comes.
    const taken = uris.length < 2 ? uris : uris.slice(0, most - value.length + replaced);
    setPasted(reportOf(invisible, uris.length - taken.length, uris.length, most));
    // One clean address goes in where the cursor stands, as in any other input.
    if (uris.length < 2 && invisible === 0) return;
    event.preventDefault();
    if (uris.length < 2) return insertAtCursor(input, uris[0] ?? '');
    const at = index + 1 - replaced;
    onChange(value.toSpliced(at, replaced, ...taken));
    focusRow(at + taken.length - 1);
  };
  return { pasted, add, remove, paste };
}

/** What pasting did that nobody would expect; nothing when it did not. */
function reportOf(invisible: number, left: number, all: number, most: number): string | undefined {
  const said = [
    invisible > 0 && text('form.uri.invisible', { count: invisible }),
    left > 0 && text('form.uri.left', { count: left, all, most }),
  ].filter((sentence) => sentence !== false);
  return said.length > 0 ? said.join(' ') : undefined;
}

/** True for an empty input, too. */
function isAllSelected({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === 0 && selectionEnd === value.length;
}

/** Puts a text where the browser would have put it, and tells the form of it as the browser would. */
function insertAtCursor(input: HTMLInputElement, inserted: string): void {
  const { selectionStart, selectionEnd, value } = input;
  input.setRangeText(inserted, selectionStart ?? value.length, selectionEnd ?? value.length, 'end');
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
