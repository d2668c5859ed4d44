import { ActionIcon, Button, Checkbox, Group, NativeSelect, Popover, Stack } from '@mantine/core';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-column.js';
import { DENSITIES, type Density, type TableSettings } from './table-settings.js';

interface ColumnMenuProps {
  readonly all: readonly ClientColumn[];
  readonly settings: TableSettings;
  /** Called when the menu opens, which requires all fields. */
  readonly onOpen: () => void;
}

/** Chooses and orders the columns, and the height of rows. */
export function ColumnMenu({ all, settings, onOpen }: ColumnMenuProps) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus onOpen={onOpen}>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" />} visibleFrom="xs">
          {text('columns.do')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text('columns.do')}>
        <Stack gap="md">
          <NativeSelect
            label={text('density')}
            value={settings.density}
            onChange={({ currentTarget }) => settings.setDensity(currentTarget.value as Density)}
            data={Object.keys(DENSITIES).map((value) => ({
              value,
              label: text(`density.${value as Density}`),
            }))}
          />
          <ColumnChoice all={all} settings={settings} />
          {settings.reset && (
            <Button variant="default" size="xs" onClick={settings.reset}>
              {text('columns.reset')}
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Shown columns come first, in their order. */
function ColumnChoice({ all, settings }: Omit<ColumnMenuProps, 'onOpen'>) {
  const shown = settings.columns.filter(({ always }) => always !== true);
  const ids = settings.columns.map(({ id }) => id);
  const hidden = all.filter(({ id }) => !ids.includes(id));
  return (
    <Checkbox.Group value={ids} onChange={settings.choose} label={text('columns.do')}>
      <Stack gap="xs" mt="xs" mah="50dvh" style={{ overflowY: 'auto' }}>
        {shown.map(({ id, label }, at) => (
          <Group key={id} gap="xs" wrap="nowrap" justify="space-between">
            <Checkbox value={id} label={label} />
            <Group gap={0} wrap="nowrap">
              <MoveButton
                kind="left"
                label={label}
                target={shown[at - 1]?.id}
                move={(to) => settings.move(id, to)}
              />
              <MoveButton
                kind="right"
                label={label}
                target={shown[at + 1]?.id}
                move={(to) => settings.move(id, to)}
              />
            </Group>
          </Group>
        ))}
        {hidden.map(({ id, label }) => (
          <Checkbox key={id} value={id} label={label} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface MoveButtonProps {
  readonly kind: 'left' | 'right';
  readonly label: string;
  /** The column to change places with; absent at the end. */
  readonly target: string | undefined;
  readonly move: (target: string) => void;
}

/** Up in this list is left in the table. A button at the end stays focusable: its row has just moved there. */
function MoveButton({ kind, label, target, move }: MoveButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={text(`columns.${kind}`, { label })}
      aria-disabled={target === undefined}
      {...(target === undefined && { c: 'dimmed' })}
      onClick={() => {
        if (target !== undefined) move(target);
      }}
    >
      <Icon name={kind === 'left' ? 'up' : 'down'} size={14} />
    </ActionIcon>
  );
}
