import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { clientsQuery } from '../api/client-queries.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/text.js';
import { CLIENT_COLUMNS } from './client-columns.js';
import { ClientTable } from './client-table.js';

/** All Clients. */
export function ClientsScreen() {
  const query = useInfiniteQuery(clientsQuery);
  const { data, hasNextPage, isFetching, fetchNextPage, error, refetch } = query;
  const clients = useMemo(() => data?.pages.flatMap((page) => page.clients), [data]);
  const fetchMore = useCallback(() => {
    if (!isFetching) void fetchNextPage();
  }, [isFetching, fetchNextPage]);
  return (
    <Screen
      title={text('clients.title')}
      actions={
        <Button leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to="/register" {...props} />}>
          {text('clients.register')}
        </Button>
      }
      fills
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {clients?.length !== 0 && !(error && !clients) && (
        <ClientTable clients={clients} columns={CLIENT_COLUMNS} hasMore={hasNextPage} onNearEnd={fetchMore} />
      )}
    </Screen>
  );
}
