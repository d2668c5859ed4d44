import { ActionIcon, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { featuresQuery } from '../api/client-queries.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/clients.js';
import { describeValue, filtersOf } from '../filters/filters.js';
import classes from './list-toolbar.module.css';
import { filtersIn, type ListSearch, withoutFilter, withoutFilters } from './list-search.js';

interface FilterChipsProps {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

/** Active filters, each removable. Arrow keys move between them; Backspace and Delete remove one. */
export function FilterChips({ search, onChange }: FilterChipsProps) {
  const active = filtersIn(search);
  const { data: features } = useQuery({ ...featuresQuery, enabled: active.length > 0 });
  if (active.length === 0) return null;
  const filters = new Map(filtersOf(features).map((filter) => [filter.name, filter]));
  const remove = (name: string, value: string) => {
    onChange(withoutFilter(search, name, value));
    focusSearch();
  };
  return (
    <ul className={classes.chips} aria-label={text('filter.active')} data-filter-chips>
      {active.map(([name, value]) => {
        const { label = name } = filters.get(name) ?? {};
        return (
          <li key={`${name} ${value}`} className={classes.chip}>
            <span>{label}:</span>
            <bdi>{describeValue(filters.get(name), value)}</bdi>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={text('filter.remove', { label })}
              onClick={() => remove(name, value)}
              onKeyDown={(event) => {
                if (event.key === 'Backspace' || event.key === 'Delete') remove(name, value);
                else moveFocus(event);
              }}
            >
              <Icon name="cross" size={12} />
            </ActionIcon>
          </li>
        );
      })}
      <li>
        <Anchor
          component="button"
          size="sm"
          onClick={() => {
            onChange(withoutFilters(search));
            focusSearch();
          }}
        >
          {text('filter.clear')}
        </Anchor>
      </li>
    </ul>
  );
}

const REMOVE_BUTTONS = '[data-filter-chips] .mantine-ActionIcon-root';

/** Moves from the search box to the last filter. */
export function focusLastChip(): void {
  [...document.querySelectorAll<HTMLElement>(REMOVE_BUTTONS)].at(-1)?.focus();
}

/** The chip that had the focus is gone. */
function focusSearch(): void {
  document.querySelector<HTMLElement>('[role=search] input')?.focus();
}

function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const buttons = [...document.querySelectorAll<HTMLElement>(REMOVE_BUTTONS)];
  const at = buttons.indexOf(currentTarget);
  if (key === 'ArrowLeft') buttons[at - 1]?.focus();
  else if (key === 'ArrowRight' && at + 1 < buttons.length) buttons[at + 1]?.focus();
  else if (key === 'ArrowRight' || key === 'Escape') focusSearch();
}
