import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import type { ClientPage } from '../api/client-documents.js';
import { clientsQuery, featuresQuery } from '../api/client-queries.js';
import type { Matching } from '../bulk/matching-actions.js';
import { MAX_SELECTED, type Selection, useSelection } from '../bulk/use-selection.js';
import { EmptyState } from '../elements/empty-state.js';
import { Failure } from '../elements/failure.js';
import { loadCode } from '../elements/load-code.js';
import { usePrinting } from '../elements/printing.js';
import { Screen } from '../elements/screen.js';
import { ExportMenu } from '../export/export-menu.js';
import { ImportButton, NoClientsYet, RegisterButton } from '../navigation/registration-links.js';
import { text } from '../texts/clients.js';
import type { Searched } from './client-column.js';
import { clientColumns, loadingColumn } from './client-columns.js';
import { ClientTable } from './client-table.js';
import { ColumnMenu } from './column-menu.js';
import { FilterChips } from './filter-chips.js';
import { FilterMenu, OrderSelect } from './filter-menu.js';
import {
  DEFAULT_SORT,
  exportQuery,
  filtersIn,
  listParams,
  type ListSearch,
  readListSearch,
  withoutFilters,
  withParam,
} from './list-search.js';
import { ListToolbar } from './list-toolbar.js';
import classes from './list-toolbar.module.css';
import { hasChosenColumns, useTableSettings } from './table-settings.js';
import { focusGrid } from './use-grid-focus.js';
import { ViewMenu } from './view-menu.js';

/** Needed with a selection only. */
const BulkBar = lazy(async () =>
  loadCode(async () => ({ default: (await import('../bulk/bulk-bar.js')).BulkBar })),
);

const route = getRouteApi('/clients');

/** The client list: search, filters, order, and bulk actions. */
export function ClientsScreen() {
  const given = route.useSearch();
  // The router adds what the list does not know.
  const search = useMemo(() => readListSearch(given), [given]);
  const navigate = route.useNavigate();
  const change = (next: ListSearch, passing = false) => void navigate({ search: next, replace: passing });
  const sortBy = (sort: string) => change(withParam(search, 'sort', sort === DEFAULT_SORT ? '' : sort));
  const params = listParams(search);
  const list = useClientList(params);
  const [needsFields, setNeedsFields] = useState(hasChosenColumns);
  const { data: features, isLoading } = useQuery({ ...featuresQuery, enabled: needsFields });
  const all = useMemo(() => clientColumns(features), [features]);
  const settings = useTableSettings(all, isLoading ? loadingColumn : undefined);
  const searched = useSearched(search);
  const selection = useSelection(list.clients ?? []);
  const clear = () => clearSelection(selection);
  return (
    <Screen title={text('clients.title')} actions={<AddClientActions />} fills>
      <ListToolbar search={search} onChange={change} clients={list.clients}>
        <FilterMenu search={search} onChange={change}>
          <OrderSelect columns={all} sort={params.sort} onSort={sortBy} />
        </FilterMenu>
        <ViewMenu search={search} />
        <ColumnMenu all={all} settings={settings} onOpen={() => setNeedsFields(true)} />
        <ExportMenu queries={[exportQuery(search)]} />
      </ListToolbar>
      <FilterChips search={search} onChange={change} />
      <SelectionKeys onClear={clear}>
        <ListBar list={list} selection={selection} search={search} onClear={clear} />
        {list.error && <Failure error={list.error} onRetry={list.retry} />}
        {list.clients?.length === 0 && <NoClients search={search} onChange={change} />}
        {list.clients?.length !== 0 && !(list.error && !list.clients) && (
          <ClientTable
            clients={list.clients}
            settings={settings}
            searched={searched}
            selection={selection}
            sort={params.sort}
            onSort={sortBy}
            stale={list.stale}
            listKey={JSON.stringify(search)}
            hasMore={list.hasMore}
            onNearEnd={list.fetchMore}
          />
        )}
      </SelectionKeys>
    </Screen>
  );
}

function clearSelection(selection: Selection): void {
  if (selection.clients.length === 0) return;
  selection.clear();
  focusGrid();
}

/** Stays the same object while it has the same content, so that rows are not rendered again. */
function useSearched({ q: words = '', host = '' }: ListSearch): Searched {
  return useMemo(() => ({ words, host }), [words, host]);
}

interface ListBarProps {
  readonly list: ClientList;
  readonly selection: Selection;
  readonly search: ListSearch;
  readonly onClear: () => void;
}

/** Bulk actions and the total, before the rows in tab order. */
function ListBar({ list, selection, search, onClear }: ListBarProps) {
  const printing = usePrinting();
  const selectMore = async () => selection.add(await list.fetchPage());
  return (
    <div className={classes.listBar} data-selecting={selection.clients.length > 0 || undefined}>
      {selection.clients.length > 0 && (
        <Suspense fallback={null}>
          <BulkBar
            selection={selection}
            onMore={!list.stale && allSelected(list, selection) ? selectMore : undefined}
            matching={matchingIn(search, list.firstPage)}
            onClear={onClear}
          />
        </Suspense>
      )}
      {printing && list.hasMore && text('clients.printed', { count: list.clients?.length ?? 0 })}
      <ClientCount page={list.firstPage} />
    </div>
  );
}

interface SelectionKeysProps {
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Escape in the list or the bar above clears the selection. */
function SelectionKeys({ onClear, children }: SelectionKeysProps) {
  const clear = ({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
    // An open menu or dialog closes first.
    const isHere =
      target instanceof Element && currentTarget.contains(target) && !target.closest('[role=menu]');
    if (key === 'Escape' && isHere) onClear();
  };
  return (
    <div className={classes.keys} onKeyDown={clear}>
      {children}
    </div>
  );
}

function AddClientActions() {
  return (
    <>
      <ImportButton />
      <RegisterButton />
    </>
  );
}

/** Whether the loaded rows are selected, up to the limit, and there are more. */
function allSelected({ clients = [], hasMore }: ClientList, selection: Selection): boolean {
  const most = Math.min(clients.length, MAX_SELECTED);
  return selection.clients.length === most && (hasMore || clients.length > most);
}

/** All clients of the list, as a job changes them. */
function matchingIn(
  search: ListSearch,
  { total = 0, total_is_exact: isExact = true }: Partial<ClientPage> = {},
): Matching {
  const { sort: _, ...filter } = listParams(search);
  return { filter, total, isExact };
}

type ClientList = ReturnType<typeof useClientList>;

/** The loaded pages as one list. */
function useClientList(search: ReturnType<typeof listParams>) {
  const query = useInfiniteQuery(clientsQuery(search));
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, isPlaceholderData } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.clients), [data]);
  // If all loaded rows were deleted, the next ones are loading.
  const clients = rows?.length === 0 && isFetching && !isPlaceholderData ? undefined : rows;
  // A page that failed is requested again only by the user.
  const canFetch = !isFetching && !isFetchNextPageError;
  const fetchMore = useCallback(() => {
    if (canFetch) void fetchNextPage({ cancelRefetch: false });
  }, [canFetch, fetchNextPage]);
  return {
    clients,
    firstPage: data?.pages[0],
    error: query.error,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : query.refetch()),
    stale: isPlaceholderData,
    hasMore: hasNextPage,
    fetchMore,
    fetchPage: async () => (await fetchNextPage()).data?.pages.at(-1)?.clients ?? [],
  };
}

/** Shorter words match only the beginnings of names, ids and hosts. */
const SHORTEST_ANYWHERE = 3;

interface NoClientsProps {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}

/** Shown for an empty list, with advice that depends on the reason. */
function NoClients({ search, onChange }: NoClientsProps) {
  const q = search['q'] ?? '';
  if (q === '' && filtersIn(search).length === 0) return <NoClientsYet />;
  const short = q.split(/\s+/u).some((word) => word !== '' && [...word].length < SHORTEST_ANYWHERE);
  return (
    <EmptyState
      icon="search"
      title={text('clients.nothing')}
      action={
        <Button variant="default" onClick={() => onChange(withoutFilters(search))}>
          {text('clients.nothing.all')}
        </Button>
      }
    >
      {text(short ? 'clients.nothing.short' : 'clients.nothing.why')}
    </EmptyState>
  );
}

/** The number of clients, announced when it changes. */
function ClientCount({ page }: { readonly page: ClientPage | undefined }) {
  const { total: count, total_is_exact: exact = true } = page ?? {};
  return (
    <span className={`numeric ${classes.total}`} role="status">
      {count !== undefined && text(exact ? 'clients.loaded' : 'clients.atLeast', { count })}
    </span>
  );
}
