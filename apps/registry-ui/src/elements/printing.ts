import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;
const listeners = new Set<() => void>();

/** Synchronous: the browser takes the page as it is when the event ends. */
function setPrinting(printing: boolean): void {
  isPrinting = printing;
  flushSync(() => listeners.forEach((listener) => listener()));
}

addEventListener('beforeprint', () => setPrinting(true));
addEventListener('afterprint', () => setPrinting(false));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting);
}
