import { Button, Popover } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type ComponentType, useState } from 'react';
import { Icon } from '../elements/icon.js';
import { writeSearch } from '../navigation/search-params.js';
import { text } from '../texts/text.js';
import type { ListSearch } from './list-search.js';
import classes from './list-toolbar.module.css';
import type { ViewListProps, Views } from './view-list.js';

/** Stored per browser. */
const KEY = 'registry-views';

/** Named searches with their filters and order. To share one, copy its URL. */
export function ViewMenu({ search }: { readonly search: ListSearch }) {
  const [opened, setOpened] = useState(false);
  const [List, setList] = useState<ComponentType<ViewListProps>>();
  const [views, setViews] = useLocalStorage<Views>({
    key: KEY,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const query = writeSearch(search);
  const current = Object.keys(views).find((name) => views[name] === query);
  const toggle = async () => {
    // Loaded before it opens, so that the focus finds its first control.
    const { ViewList } = await import('./view-list.js');
    setList(() => ViewList);
    setOpened((before) => !before);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="book" />} onClick={() => void toggle()}>
          <span className={`one-line ${classes.view}`}>{current ?? text('views.do')}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text('views.do')}>
        {List && (
          <List
            views={views}
            current={current}
            query={query}
            onChange={setViews}
            onOpen={() => setOpened(false)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
