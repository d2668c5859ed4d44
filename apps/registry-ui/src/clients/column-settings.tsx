import { ActionIcon, Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/clients.js';
import { headingOf, resizedBy, WIDTH_STEP_PX } from './arrange-columns.js';
import type { ClientColumn } from './client-column.js';
import { DENSITIES, type Density, type TableSettings } from './table-settings.js';

export interface ColumnSettingsProps {
  readonly all: readonly ClientColumn[];
  readonly settings: TableSettings;
}

/** What the menu of columns shows. */
export function ColumnSettings({ all, settings }: ColumnSettingsProps) {
  return (
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
  );
}

/** Shown columns come first, in their order. */
function ColumnChoice({ all, settings }: ColumnSettingsProps) {
  const ids = settings.columns.map(({ id }) => id);
  const hidden = all.filter(({ id }) => !ids.includes(id));
  return (
    <Checkbox.Group value={ids} onChange={settings.choose} label={text('columns.do')}>
      <Stack gap="xs" mt="xs" mah="50dvh" style={{ overflowY: 'auto' }}>
        {settings.columns.map((column) => (
          <Group key={column.id} gap="xs" wrap="nowrap" justify="space-between">
            {column.always ? (
              <Text size="sm">{column.label}</Text>
            ) : (
              <Checkbox value={column.id} label={column.label} />
            )}
            <ArrangeButtons column={column} settings={settings} />
          </Group>
        ))}
        {hidden.map(({ id, label }) => (
          <Checkbox key={id} value={id} label={label} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface ArrangeButtonsProps {
  readonly column: ClientColumn;
  readonly settings: TableSettings;
}

/** Buttons for what dragging a heading or its edge does, step by step. Up in this list is left in the table. */
function ArrangeButtons({ column: { id, label }, settings }: ArrangeButtonsProps) {
  const movable = settings.columns.filter(({ always }) => always !== true).map((column) => column.id);
  const at = movable.indexOf(id);
  const moveTo = (target: string | undefined) =>
    at < 0 || target === undefined ? undefined : () => settings.move(id, target);
  const resizeBy = (deltaPx: number) => () => {
    const heading = headingOf(id);
    if (heading) settings.setWidths(resizedBy(heading, deltaPx));
  };
  return (
    <Group gap={0} wrap="nowrap">
      <ArrangeButton kind="narrower" label={label} onClick={resizeBy(-WIDTH_STEP_PX)} />
      <ArrangeButton kind="wider" label={label} onClick={resizeBy(WIDTH_STEP_PX)} />
      <ArrangeButton kind="left" label={label} onClick={moveTo(movable[at - 1])} />
      <ArrangeButton kind="right" label={label} onClick={moveTo(movable[at + 1])} />
    </Group>
  );
}

const ICONS = { narrower: 'minus', wider: 'plus', left: 'up', right: 'down' } as const;

interface ArrangeButtonProps {
  readonly kind: keyof typeof ICONS;
  readonly label: string;
  /** Absent where there is nothing to do. */
  readonly onClick: (() => void) | undefined;
}

/** Stays focusable even with nothing to do: its row may just have moved to the top or bottom. */
function ArrangeButton({ kind, label, onClick }: ArrangeButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={text(`columns.${kind}`, { label })}
      aria-disabled={onClick === undefined}
      {...(onClick ? { onClick } : { c: 'dimmed' })}
    >
      <Icon name={ICONS[kind]} size={14} />
    </ActionIcon>
  );
}
