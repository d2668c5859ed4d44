import { ActionIcon, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { featuresQuery } from '../api/client-queries.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import { filtersOf } from './filters.js';
import classes from './list-toolbar.module.css';
import { describeInstant } from './local-days.js';
import { filtersIn, type ListSearch, withoutFilters, withParam } from './list-search.js';

interface FilterChipsProps {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

/** Active filters, each removable. */
export function FilterChips({ search, onChange }: FilterChipsProps) {
  const active = filtersIn(search);
  const { data: features } = useQuery({ ...featuresQuery, enabled: active.length > 0 });
  if (active.length === 0) return null;
  const filters = new Map(filtersOf(features).map((filter) => [filter.name, filter]));
  return (
    <ul className={classes.chips} aria-label={text('filter.active')}>
      {active.map(([name, value]) => {
        const { label = name, options } = filters.get(name) ?? {};
        const chosen = options?.find((option) => option.value === value)?.label ?? value;
        const shown = filters.has(name) && !options ? describeInstant(value) : chosen;
        return (
          <li key={name} className={classes.chip}>
            <span>{label}:</span>
            <bdi>{shown}</bdi>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={text('filter.remove', { label })}
              onClick={() => onChange(withParam(search, name, ''))}
            >
              <Icon name="cross" size={12} />
            </ActionIcon>
          </li>
        );
      })}
      <li>
        <Anchor component="button" size="sm" onClick={() => onChange(withoutFilters(search))}>
          {text('filter.clear')}
        </Anchor>
      </li>
    </ul>
  );
}
