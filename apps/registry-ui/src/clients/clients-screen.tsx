import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { clientsQuery, featuresQuery } from '../api/client-queries.js';
import { BulkBar } from '../bulk/bulk-bar.js';
import { ImportButton } from '../client/import-button.js';
import { RegisterButton } from '../client/register-button.js';
import { Failure } from '../elements/failure.js';
import { Screen } from '../elements/screen.js';
import { ExportMenu } from '../export/export-menu.js';
import { text } from '../texts/text.js';
import { clientColumns } from './client-columns.js';
import { ClientTable } from './client-table.js';
import { ColumnMenu } from './column-menu.js';
import { FilterChips } from './filter-chips.js';
import { FilterMenu } from './filter-menu.js';
import { ListToolbar } from './list-toolbar.js';
import { DEFAULT_SORT, exportQuery, listParams, type ListSearch, withParam } from './list-search.js';
import { NoClients } from './no-clients.js';
import { OrderSelect } from './order-select.js';
import { Total } from './total.js';
import { hasChosenColumns, useColumns } from './use-columns.js';
import { type Selection, useSelection } from './use-selection.js';

const route = getRouteApi('/clients');

/** All Clients: searched, narrowed, sorted, and worked on many at a time. */
export function ClientsScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: ListSearch, passing = false) => void navigate({ search: next, replace: passing });
  const sortBy = (sort: string) => change(withParam(search, 'sort', sort === DEFAULT_SORT ? '' : sort));
  const params = listParams(search);
  const list = useClientList(params);
  const [needsFields, setNeedsFields] = useState(hasChosenColumns);
  const { data: features } = useQuery({ ...featuresQuery, enabled: needsFields });
  const all = useMemo(() => clientColumns(features), [features]);
  const [columns, chooseColumns] = useColumns(all);
  const selection = useSelection(list.clients ?? []);
  return (
    <Screen title={text('clients.title')} actions={<WaysIn />} fills>
      <ListToolbar search={search} onChange={change}>
        <FilterMenu search={search} onChange={change}>
          <OrderSelect columns={all} sort={params.sort} onSort={sortBy} />
        </FilterMenu>
        <ColumnMenu all={all} shown={columns} onChange={chooseColumns} onOpen={() => setNeedsFields(true)} />
        <ExportMenu queries={[exportQuery(search)]} />
        <Total page={list.firstPage} />
      </ListToolbar>
      <FilterChips search={search} onChange={change} />
      {list.error && <Failure error={list.error} onRetry={list.retry} />}
      {list.clients?.length === 0 && <NoClients search={search} onChange={change} />}
      {list.clients?.length !== 0 && !(list.error && !list.clients) && (
        <ClientTable
          clients={list.clients}
          columns={columns}
          selection={selection}
          sort={params.sort}
          onSort={sortBy}
          stale={list.stale}
          listKey={JSON.stringify(search)}
          hasMore={list.hasMore}
          onNearEnd={list.fetchMore}
        />
      )}
      <BulkBar
        selection={selection}
        onMore={allSelected(list, selection) ? async () => selection.add(await list.fetchPage()) : undefined}
      />
    </Screen>
  );
}

/** The ways in which Clients come here. */
function WaysIn() {
  return (
    <>
      <ImportButton />
      <RegisterButton />
    </>
  );
}

/** Every row that has come is selected, but there are more. */
function allSelected({ clients = [], hasMore }: ClientList, selection: Selection): boolean {
  return hasMore && selection.clients.length === clients.length;
}

type ClientList = ReturnType<typeof useClientList>;

/** The pages that have come so far, as one list. */
function useClientList(search: ListSearch) {
  const query = useInfiniteQuery(clientsQuery(search));
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, isPlaceholderData } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.clients), [data]);
  // Where all rows that had come are gone, the next are on their way.
  const clients = rows?.length === 0 && isFetching && !isPlaceholderData ? undefined : rows;
  // A page that could not be fetched is asked for again only by hand.
  const canFetch = !isFetching && !isFetchNextPageError;
  const fetchMore = useCallback(() => {
    if (canFetch) void fetchNextPage();
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
