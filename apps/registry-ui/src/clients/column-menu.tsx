import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-column.js';

interface ColumnMenuProps {
  readonly all: readonly ClientColumn[];
  readonly shown: readonly ClientColumn[];
  readonly onChange: (ids: readonly string[]) => void;
  /** Called when the menu opens: it is then that all fields must be known. */
  readonly onOpen: () => void;
}

/** Chooses the columns of the list. */
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
