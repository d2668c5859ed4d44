import { NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-column.js';

/** Where columns that the list can be sorted by are left out. */
const NARROW = '(max-width: 62em)';

interface OrderSelectProps {
  readonly columns: readonly ClientColumn[];
  /** As `GET /client` spells it. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Sorts the list where the window is too narrow for the columns whose names sort it. */
export function OrderSelect({ columns, sort, onSort }: OrderSelectProps) {
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  // Not merely hidden: the first input takes the focus.
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
