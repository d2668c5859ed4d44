import { Button, NativeSelect, Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { featuresQuery } from '../api/client-queries.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import { DateFilter } from './date-filter.js';
import { type Filter, filtersOf } from './filters.js';
import classes from './list-toolbar.module.css';
import { filtersIn, type ListSearch, withParam } from './list-search.js';

interface FilterMenuProps {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
  /** What else is chosen in the same place. */
  readonly children: ReactNode;
}

/** Everything that the list can be narrowed by, each taking effect at once. */
export function FilterMenu({ search, onChange, children }: FilterMenuProps) {
  const [opened, setOpened] = useState(false);
  const { data: features } = useQuery({ ...featuresQuery, enabled: opened });
  const count = filtersIn(search).length;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="filter" />} onClick={() => setOpened(!opened)}>
          {count === 0 ? text('filter.do') : text('filter.some', { count })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text('filter.do')}>
        <div className={classes.filters}>
          {children}
          {filtersOf(features).map((filter) => (
            <FilterInput
              key={filter.name}
              filter={filter}
              value={search[filter.name] ?? ''}
              onChange={(value) => onChange(withParam(search, filter.name, value))}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface FilterInputProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterInput({ filter: { label, options }, value, onChange }: FilterInputProps) {
  if (!options) return <DateFilter label={label} value={value} onChange={onChange} />;
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: text('filter.any') }, ...options]}
    />
  );
}
