import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../elements/icon.js';
import { LazyPopover } from '../elements/lazy-popover.js';
import { useLoadedPart } from '../elements/use-loaded-part.js';
import { text } from '../texts/clients.js';
import type { ColumnSettingsProps } from './column-settings.js';

const fetchSettings = async () => (await import('./column-settings.js')).ColumnSettings;

interface ColumnMenuProps extends ColumnSettingsProps {
  /** Called when the menu opens, which requires all fields. */
  readonly onOpen: () => void;
}

/** Chooses, orders and resizes the columns, and sets the height of rows. */
export function ColumnMenu({ all, settings, onOpen }: ColumnMenuProps) {
  const [opened, setOpened] = useState(false);
  const { Part: Settings, load } = useLoadedPart(fetchSettings);
  const change = async (next: boolean) => {
    // Loaded before it opens, so that the focus finds its first control.
    await load();
    setOpened(next);
    if (next) onOpen();
  };
  return (
    <LazyPopover
      opened={opened}
      onChange={(next) => void change(next)}
      label={text('columns.do')}
      position="bottom-end"
      button={(props) => (
        <Button {...props} variant="default" leftSection={<Icon name="columns" />} visibleFrom="xs">
          {text('columns.do')}
        </Button>
      )}
    >
      {Settings && <Settings all={all} settings={settings} />}
    </LazyPopover>
  );
}
