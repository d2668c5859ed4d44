import type { KeyboardEvent } from 'react';

/** How many rows a key leads on from the one in focus. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Leads from one row's link to another's by the arrow keys, and brings the row into view. */
export function moveBetweenRows(
  event: KeyboardEvent<HTMLElement>,
  count: number,
  reveal: (index: number) => void,
): void {
  const step = STEPS[event.key];
  const row = (event.target as HTMLElement).closest('tr');
  if (step === undefined || !row || !(event.target instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const body = event.currentTarget;
  const index = Math.min(Math.max(Number(row.dataset['index']) + step, 0), count - 1);
  const linkOfRow = () => body.querySelector<HTMLElement>(`tr[data-index="${index}"] a`);
  reveal(index);
  const link = linkOfRow();
  if (link) link.focus();
  // A row out of sight is drawn after it has come into view.
  else requestAnimationFrame(() => requestAnimationFrame(() => linkOfRow()?.focus()));
}
