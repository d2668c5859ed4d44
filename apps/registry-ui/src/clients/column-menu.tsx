import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-column.js';

interface ColumnMenuProps {
  readonly all: readonly ClientColumn[];
  readonly shown: readonly ClientColumn[];
  readonly onChange: (ids: readonly string[]) => void;
  /** Called when the menu opens, which requires all fields. */
  readonly onOpen: () => void;
}

export function ColumnMenu({ all, shown, onChange, onOpen }: ColumnMenuProps) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus onOpen={onOpen}>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" />} visibleFrom="xs">
          {text('columns.do')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text('columns.do')}>
        <Checkbox.Group value={shown.map(({ id }) => id)} onChange={onChange} label={text('columns.do')}>
          <Stack gap="sm" mt="sm" mah="60dvh" style={{ overflowY: 'auto' }}>
            {all
              .filter(({ always }) => always !== true)
              .map(({ id, label }) => (
                <Checkbox key={id} value={id} label={label} />
              ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Stored per browser. */
const KEY = 'registry-columns';

/** The visible columns in display order, and a setter. */
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
  // Chosen columns stay visible even if the table has to scroll sideways.
  return [ids ? shown.map(asChosen) : shown, setChosen];
}

function asChosen(column: ClientColumn): ClientColumn {
  return column.room ? { ...column, room: 'middle' } : column;
}

/** Whether the user has chosen columns; only then are all fields required. */
export function hasChosenColumns(): boolean {
  return Array.isArray(readLocalStorageValue({ key: KEY }));
}
