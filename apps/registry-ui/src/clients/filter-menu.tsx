import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { featuresQuery } from '../api/client-queries.js';
import { Icon } from '../elements/icon.js';
import { LazyPopover } from '../elements/lazy-popover.js';
import { useDebouncedInput } from '../navigation/use-debounced-input.js';
import { text } from '../texts/clients.js';
import type { ClientColumn } from './client-column.js';
import { type Filter, filtersOf } from '../filters/filters.js';
import { filtersIn, type ListSearch, withParam } from './list-search.js';
import classes from './list-toolbar.module.css';
import { dayOf, startOfDay } from '../filters/local-days.js';

interface FilterMenuProps {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
  /** Further controls. */
  readonly children: ReactNode;
}

/** All filters, each applied immediately. */
export function FilterMenu({ search, onChange, children }: FilterMenuProps) {
  const [opened, setOpened] = useState(false);
  const { data: features } = useQuery({ ...featuresQuery, enabled: opened });
  const count = filtersIn(search).length;
  return (
    <LazyPopover
      opened={opened}
      onChange={setOpened}
      label={text('filter.do')}
      position="bottom-end"
      button={(props) => (
        <Button {...props} variant="default" leftSection={<Icon name="filter" />}>
          {count === 0 ? text('filter.do') : text('filter.some', { count })}
        </Button>
      )}
    >
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
    </LazyPopover>
  );
}

interface FilterInputProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterInput({ filter, value, onChange }: FilterInputProps) {
  const { label, options, example, read } = filter;
  if (example !== undefined && read)
    return <TextFilter label={label} example={example} read={read} value={value} onChange={onChange} />;
  if (!options) return <DateFilter label={label} value={value} onChange={onChange} />;
  const others = value === '' || options.some((option) => option.value === value) ? [] : [value];
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: text('filter.any') }, ...options, ...others]}
    />
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly example: string;
  readonly read: (typed: string) => string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Takes free text, and reports it once it is valid. Spaces separate several values. */
function TextFilter({ label, example, read, value, onChange }: TextFilterProps) {
  const toValue = (typed: string) => {
    const values = typed.split(/\s+/u).flatMap((word) => (word === '' ? [] : [read(word)]));
    return values.includes(undefined) ? undefined : values.join(' ');
  };
  const { typed, change, settle } = useDebouncedInput({
    value,
    normalize: (next) => toValue(next) ?? value,
    onSettled: onChange,
    pauseMs: PAUSE_MS,
  });
  return (
    <TextInput
      label={label}
      placeholder={example}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={({ key }) => {
        if (key === 'Enter') settle();
      }}
      error={toValue(typed) === undefined && text('filter.example', { example })}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/** Where sortable columns are hidden. */
const NARROW = '(max-width: 62em)';

interface OrderSelectProps {
  readonly columns: readonly ClientColumn[];
  /** As in `GET /client`. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Sorts the list in windows too narrow for the sortable columns. */
export function OrderSelect({ columns, sort, onSort }: OrderSelectProps) {
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  // Not just hidden: the first input takes the focus.
  if (!narrow) return null;
  const orders = columns.flatMap(({ label, sort: key }) =>
    key === undefined
      ? []
      : [
          { value: key, label },
          { value: `-${key}`, label: text('filter.order.lastFirst', { label }) },
        ],
  );
  return (
    <NativeSelect
      label={text('filter.order')}
      value={sort}
      onChange={(event) => onSort(event.currentTarget.value)}
      data={orders}
    />
  );
}

/** Long enough to move on to the next part of a date. */
const PAUSE_MS = 1_000;

/** Otherwise inputs accept six-digit years. */
const LAST_DAY = '2999-12-31';

interface DateFilterProps {
  readonly label: string;
  /** An RFC 3339 instant; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Takes a day and reports its start in the user's time zone, once the date is complete. */
function DateFilter({ label, value, onChange }: DateFilterProps) {
  const box = useRef<HTMLInputElement>(null);
  const { typed, change, settle } = useDebouncedInput({
    value: dayOf(value),
    onSettled: (day) => {
      const instant = startOfDay(day);
      // A date input with an incomplete date reports an empty value.
      const cleared = day === '' && box.current?.validity.badInput === false;
      if (instant !== undefined || cleared) onChange(instant ?? '');
    },
    pauseMs: PAUSE_MS,
  });
  return (
    <TextInput
      ref={box}
      type="date"
      label={label}
      value={typed}
      max={LAST_DAY}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle();
      }}
    />
  );
}
