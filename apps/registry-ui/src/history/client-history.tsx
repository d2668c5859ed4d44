import { Button, Skeleton, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/text.js';
import { HistoryEntry } from './history-entry.js';
import { historyQuery } from './history-query.js';
import classes from './history.module.css';

/** What became of a Client, the latest first: who changed it, when, from where and how. */
export function ClientHistory({ clientId }: { readonly clientId: string }) {
  const query = useInfiniteQuery(historyQuery(clientId));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} radius="lg" />;
  return (
    <Stack gap="md" align="flex-start">
      <ol className={classes.entries} aria-label={text('history.title')}>
        {data.pages.flatMap(({ changes }) =>
          changes.map((change) => <HistoryEntry key={change.seq} change={change} />),
        )}
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
