import { readLocalStorageValue } from '@mantine/hooks';
import { usePrinting } from './printing.js';
import { createStore } from './store.js';

const KEY = 'exact-times';

/** One for all times: a list shows many, and comes to more while it scrolls. */
const exactTimes = createStore(readExact());

addEventListener('storage', ({ key }) => {
  if (key === KEY) exactTimes.set(readExact());
});

/** Whether times are shown with date and time instead of relative to now; kept in the browser, for all screens. */
export function useExactTimes(): readonly [boolean, (exact: boolean) => void] {
  return [exactTimes.use(), setExact];
}

/** Whether times are exact now: if the user prefers that, and always on paper. */
export function useShowsExactTimes(): boolean {
  const exact = exactTimes.use();
  return usePrinting() || exact;
}

function setExact(exact: boolean): void {
  exactTimes.set(exact);
  try {
    localStorage.setItem(KEY, JSON.stringify(exact));
  } catch {
    // A browser that keeps nothing: the choice lasts until the page is closed.
  }
}

function readExact(): boolean {
  return readLocalStorageValue<boolean>({ key: KEY, defaultValue: false });
}
