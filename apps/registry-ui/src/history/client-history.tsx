import { Button, Skeleton, Stack } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { TaggedClient } from '../api/client-documents.js';
import { fetchBody } from '../api/request.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/history.js';
import { HistoryEntry } from './history-entry.js';
import classes from './history.module.css';

interface ClientHistoryProps {
  readonly clientId: string;
  /** Absent: the client is deleted, so no version can be put back. */
  readonly tagged?: TaggedClient;
}

/** The changes of a client, latest first. */
export function ClientHistory({ clientId, tagged }: ClientHistoryProps) {
  const query = useInfiniteQuery(historyQuery(clientId));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} radius="lg" />;
  return (
    <Stack gap="md" align="flex-start">
      <ol className={classes.entries} aria-label={text('history.title')}>
        {data.pages
          .flatMap(({ changes }) => changes)
          .map((change, at) => (
            <HistoryEntry key={change.seq} change={change} tagged={at === 0 ? undefined : tagged} />
          ))}
      </ol>
      {error && <Failure error={error} onRetry={() => void fetchNextPage()} takesFocus />}
      {hasNextPage && !error && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {text('history.older')}
        </Button>
      )}
    </Stack>
  );
}

const PAGE_SIZE = 30;

/** The history of a client, even a deleted one, latest first. */
export const historyQuery = (clientId: string) =>
  infiniteQueryOptions({
    queryKey: ['history', clientId],
    queryFn: async ({ pageParam, signal }) =>
      fetchBody({
        path: '/client/{client_id}/history',
        params: { client_id: clientId },
        query: { limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
  });
