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

/** Selects the row in focus, as in a list of mails. */
const SELECT_KEY = 'x';

/** What keys can do with rows. */
export interface RowActions {
  /** Brings a row into view. */
  readonly reveal: (index: number) => void;
  readonly select: (index: number) => void;
}

/** Leads from one row's link to another's by the arrow keys and brings the row into view; x selects it. */
export function moveBetweenRows(
  event: KeyboardEvent<HTMLElement>,
  count: number,
  { reveal, select }: RowActions,
): void {
  const row = (event.target as HTMLElement).closest('tr');
  if (!row || !(event.target instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey) return;
  const at = Number(row.dataset['index']);
  if (event.key.toLowerCase() === SELECT_KEY) {
    event.preventDefault();
    select(at);
    return;
  }
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const body = event.currentTarget;
  const index = Math.min(Math.max(at + step, 0), count - 1);
  const linkOfRow = () => body.querySelector<HTMLElement>(`tr[data-index="${index}"] a`);
  reveal(index);
  const link = linkOfRow();
  if (link) link.focus();
  // A row out of sight is drawn after it has come into view.
  else requestAnimationFrame(() => requestAnimationFrame(() => linkOfRow()?.focus()));
}
