import { useLocalStorage } from '@mantine/hooks';
import { usePrinting } from './printing.js';

/** Whether times are shown with date and time instead of relative to now; kept in the browser, for all screens. */
export function useExactTimes(): readonly [boolean, (exact: boolean) => void] {
  const [exact, setExact] = useLocalStorage<boolean>({
    key: 'exact-times',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return [exact, setExact];
}

/** Whether times are exact now: if the user prefers that, and always on paper. */
export function useShowsExactTimes(): boolean {
  const [exact] = useExactTimes();
  return usePrinting() || exact;
}
