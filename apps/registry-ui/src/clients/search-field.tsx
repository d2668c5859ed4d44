import { ActionIcon, Combobox, type ComboboxStore, TextInput, useCombobox } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useMemo } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/clients.js';
import { focusLastChip } from './filter-chips.js';
import { knownValues } from './known-values.js';
import type { Filter } from '../filters/filters.js';
import { filtersIn, type ListSearch, withoutFilter } from './list-search.js';
import classes from './list-toolbar.module.css';
import { SearchHint } from './search-hint.js';
import { readWord, type Suggestion, suggestionsFor } from './typed-filters.js';
import { lastWord, useTypedSearch } from './use-typed-search.js';

/** Shorter words begin too many names of filters. */
const SHORTEST_SUGGESTED = 2;

interface SearchFieldProps {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly search: ListSearch;
  /** `passing`: an intermediate search that gets no entry in the browser history. */
  readonly onChange: (search: ListSearch, passing: boolean) => void;
  /** The loaded rows, whose labels and hosts are suggested. */
  readonly clients: readonly ClientDocument[] | undefined;
}

/** The search box. Filters typed into it become chips, and what can be typed is suggested. */
export function SearchField({ box, search, onChange, clients }: SearchFieldProps) {
  const { typed, filters, word, active, activate, take, settle } = useTypedSearch({ search, onChange });
  const { store, suggestions, isValue, openFor } = useSuggestions(word, filters, clients, box);
  const complete = (next: string) =>
    take(typed.slice(0, typed.length - word.length) + (next.endsWith(':') ? next : `${next} `));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // The combobox moves the selection after this handler.
    queueMicrotask(() => markActiveOption(store, box.current));
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && store.getSelectedOptionIndex() === -1) {
      store.closeDropdown();
      if (isValue) complete(suggestions[0]?.word ?? word);
      settle();
    } else moveIntoChips(event, search, (next) => onChange(next, false));
  };
  return (
    <>
      <Combobox store={store} onOptionSubmit={complete} withinPortal={false} keepMounted={active}>
        <Combobox.Target withAriaAttributes={false}>
          <TextInput
            ref={box}
            className={classes.search}
            role="combobox"
            aria-label={text('clients.search')}
            aria-haspopup="listbox"
            aria-expanded={store.dropdownOpened}
            aria-controls={store.dropdownOpened ? (store.listId ?? undefined) : undefined}
            placeholder={text('clients.search.placeholder')}
            value={typed}
            onChange={({ currentTarget }) => {
              take(currentTarget.value);
              openFor(lastWord(currentTarget.value));
            }}
            onKeyDown={onKeyDown}
            onFocus={activate}
            onBlur={() => store.closeDropdown()}
            leftSection={<Icon name="search" />}
            rightSection={typed !== '' && <ClearButton box={box} onClear={() => take('')} />}
            maxLength={512}
            autoComplete="off"
            spellCheck={false}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={suggestions.length === 0}>
          <Suggestions suggestions={suggestions} />
        </Combobox.Dropdown>
      </Combobox>
      <SearchHint typed={typed} filters={filters} />
    </>
  );
}

/** What can be typed next, in a list that opens while typing, or with Down. */
function useSuggestions(
  word: string,
  filters: readonly Filter[],
  clients: readonly ClientDocument[] | undefined,
  box: SearchFieldProps['box'],
) {
  const { filter, value } = readWord(word, filters);
  const isValue = filter !== undefined;
  const suggestions = useMemo(
    () => suggestionsFor(word, filters, (one) => knownValues(one, clients, value)),
    [word, filters, clients, value],
  );
  const store = useCombobox({
    onDropdownClose: () => {
      store.resetSelectedOption();
      markActiveOption(store, box.current);
    },
  });
  useSelectedOption(store, isValue, suggestions, box);
  const openFor = (next: string) => {
    if (next.length >= SHORTEST_SUGGESTED) store.openDropdown();
    else store.closeDropdown();
  };
  return { store, suggestions, isValue, openFor };
}

/** At the beginning of the box, Backspace removes the last filter, and Left moves to it. */
function moveIntoChips(
  event: KeyboardEvent<HTMLInputElement>,
  search: ListSearch,
  onChange: (search: ListSearch) => void,
): void {
  const { selectionStart, selectionEnd } = event.currentTarget;
  const last = filtersIn(search).at(-1);
  if (selectionStart !== 0 || selectionEnd !== 0 || !last) return;
  if (event.key === 'Backspace') onChange(withoutFilter(search, ...last));
  else if (event.key === 'ArrowLeft') {
    event.preventDefault();
    focusLastChip();
  }
}

/** Enter accepts the first value. A name is accepted only if chosen: it may be meant as a word. */
function useSelectedOption(
  store: ComboboxStore,
  isValue: boolean,
  suggestions: readonly Suggestion[],
  box: SearchFieldProps['box'],
): void {
  const select = useEffectEvent(() => {
    if (suggestions.length === 0) store.closeDropdown();
    // Values may arrive after the name was chosen.
    else if (isValue && document.activeElement === box.current) store.openDropdown();
    store.resetSelectedOption();
    if (isValue) store.selectFirstOption();
    markActiveOption(store, box.current);
  });
  // Rows that load again keep what is selected, unless they change the suggestions.
  const words = suggestions.map(({ word }) => word).join('\n');
  useEffect(() => select(), [isValue, words]);
}

/** The combobox updates this attribute only on key presses, so it may name an option that is gone. */
function markActiveOption({ listId }: ComboboxStore, box: HTMLInputElement | null): void {
  const list = listId === null ? null : document.getElementById(listId);
  const active = list?.querySelector('[data-combobox-selected]');
  if (active) box?.setAttribute('aria-activedescendant', active.id);
  else box?.removeAttribute('aria-activedescendant');
}

function Suggestions({ suggestions }: { readonly suggestions: readonly Suggestion[] }) {
  return (
    <Combobox.Options aria-label={text('clients.search.suggestions')} className={classes.suggestions}>
      {suggestions.map(({ word, label }) => (
        <Combobox.Option key={word} value={word} className={classes.suggestion}>
          <span className="mono one-line">{word}</span>
          <span className={classes.meaning}>{label}</span>
        </Combobox.Option>
      ))}
    </Combobox.Options>
  );
}

interface ClearButtonProps extends Pick<SearchFieldProps, 'box'> {
  readonly onClear: () => void;
}

function ClearButton({ box, onClear }: ClearButtonProps) {
  const clear = () => {
    onClear();
    box.current?.focus();
  };
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={text('clients.search.clear')} onClick={clear}>
      <Icon name="cross" size={14} />
    </ActionIcon>
  );
}
