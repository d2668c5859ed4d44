import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import type { ClientColumn } from './client-column.js';

/** Which columns people see is theirs to say, on this machine. */
const KEY = 'registry-columns';

/** The columns that are shown, in their own order, and what changes which. */
export function useColumns(
  all: readonly ClientColumn[],
): readonly [readonly ClientColumn[], (ids: readonly string[]) => void] {
  const [chosen, setChosen] = useLocalStorage<readonly string[] | null>({
    key: KEY,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const ids = Array.isArray(chosen) ? chosen : undefined;
  const shown = all.filter(({ id, always, usual }) =>
    always === true ? true : (ids?.includes(id) ?? usual === true),
  );
  // What was asked for is there also where the table then scrolls sideways.
  return [ids ? shown.map(asChosen) : shown, setChosen];
}

function asChosen(column: ClientColumn): ClientColumn {
  return column.room ? { ...column, room: 'middle' } : column;
}

/** Whether columns other than the usual ones may be shown: only then must all fields be known. */
export function hasChosenColumns(): boolean {
  return Array.isArray(readLocalStorageValue({ key: KEY }));
}
