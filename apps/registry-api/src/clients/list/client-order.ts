/** What a list can be sorted by, and the column that has it. */
const SORT_COLUMNS = {
  client_name: 'name_key',
  client_id: 'client_id',
  created_at: 'created_at',
  updated_at: 'updated_at',
} as const;

type SortKey = keyof typeof SORT_COLUMNS;

/** A minus in front: the last first. */
export type Sort = SortKey | `-${SortKey}`;

export const SORTS: readonly Sort[] = (Object.keys(SORT_COLUMNS) as SortKey[]).flatMap((key): Sort[] => [
  key,
  `-${key}`,
]);

/** An order of Clients that is total: equal keys are in the order of the client_id, in the same direction. */
export interface ClientOrder {
  readonly column: (typeof SORT_COLUMNS)[SortKey];
  readonly direction: 'ASC' | 'DESC';
  readonly isTime: boolean;
}

export function orderOf(sort: Sort): ClientOrder {
  const isDescending = sort.startsWith('-');
  const column = SORT_COLUMNS[(isDescending ? sort.slice(1) : sort) as SortKey];
  return {
    column,
    direction: isDescending ? 'DESC' : 'ASC',
    isTime: column === 'created_at' || column === 'updated_at',
  };
}
