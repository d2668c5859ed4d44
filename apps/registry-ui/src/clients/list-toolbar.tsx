import { ActionIcon, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { Icon } from '../elements/icon.js';
import { PAUSE_MS } from '../search/use-client-search.js';
import { text } from '../texts/text.js';
import classes from './list-toolbar.module.css';
import { type ListSearch, withParam } from './list-search.js';
import { useDebouncedInput } from '../navigation/use-debounced-input.js';

interface ListToolbarProps {
  readonly search: ListSearch;
  /** `passing`: an intermediate search that gets no entry in the browser history. */
  readonly onChange: (search: ListSearch, passing: boolean) => void;
  /** Further controls of the list. */
  readonly children: ReactNode;
}

/** The search box and other controls. A slash focuses the box. */
export function ListToolbar({ search, onChange, children }: ListToolbarProps) {
  const box = useRef<HTMLInputElement>(null);
  const { typed, change } = useDebouncedInput({
    value: search['q'] ?? '',
    // Users type the space between two words before the second one.
    normalize: (words) => words.trim(),
    onSettled: (q) => onChange(withParam(search, 'q', q), true),
    pauseMs: PAUSE_MS,
  });
  useHotkeys([['/', () => box.current?.focus()]]);
  return (
    <div className={classes.toolbar} role="search">
      <TextInput
        ref={box}
        className={classes.search}
        aria-label={text('clients.search')}
        placeholder={text('clients.search.placeholder')}
        value={typed}
        onChange={(event) => change(event.currentTarget.value)}
        leftSection={<Icon name="search" />}
        rightSection={
          typed !== '' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={text('clients.search.clear')}
              onClick={() => {
                change('');
                box.current?.focus();
              }}
            >
              <Icon name="cross" size={14} />
            </ActionIcon>
          )
        }
        maxLength={512}
        autoComplete="off"
        spellCheck={false}
      />
      {children}
    </div>
  );
}
