import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '../elements/icon.js';
import { LazyPopover } from '../elements/lazy-popover.js';
import { useLoadedPart } from '../elements/use-loaded-part.js';
import { writeSearch } from '../navigation/search-params.js';
import { text } from '../texts/clients.js';
import type { ListSearch } from './list-search.js';
import classes from './list-toolbar.module.css';
import type { Views } from './view-list.js';

/** Stored per browser. */
const KEY = 'registry-views';

const fetchList = async () => (await import('./view-list.js')).ViewList;

/** Named searches with their filters and order. To share one, copy its URL. */
export function ViewMenu({ search }: { readonly search: ListSearch }) {
  const [opened, setOpened] = useState(false);
  const { Part: List, load } = useLoadedPart(fetchList);
  const [views, setViews] = useLocalStorage<Views>({
    key: KEY,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const query = writeSearch(search);
  const current = Object.keys(views).find((name) => views[name] === query);
  const change = async (next: boolean) => {
    // Loaded before it opens, so that the focus finds its first control.
    await load();
    setOpened(next);
  };
  return (
    <LazyPopover
      opened={opened}
      onChange={(next) => void change(next)}
      label={text('views.do')}
      position="bottom-end"
      button={(props) => (
        <Button {...props} variant="default" leftSection={<Icon name="book" />}>
          <span className={`one-line ${classes.view}`}>{current ?? text('views.do')}</span>
        </Button>
      )}
    >
      {List && (
        <List
          views={views}
          current={current}
          query={query}
          onChange={setViews}
          onOpen={() => setOpened(false)}
        />
      )}
    </LazyPopover>
  );
}
