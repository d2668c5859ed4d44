import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { EmptyState } from '../elements/empty-state.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { RelativeTime } from '../elements/relative-time.js';
import { Screen } from '../elements/screen.js';
import { ScopedButton } from '../elements/scopes.js';
import { text } from '../texts/deleted.js';
import { formatDateTime } from '../texts/times.js';
import { deletedClientsQuery } from './deleted-clients.js';
import { type DeletedClient, type Deletion, deletionsIn } from './deletions.js';
import { PurgeClient } from './purge-client.js';
import { useRestoration } from './use-restoration.js';

const SCOPE = 'clients:write';

type DeletedClientPages = InfiniteData<{ readonly clients: readonly DeletedClient[] }>;

/** Deleted clients that can be restored, by the request that deleted them. */
export function DeletedClientsScreen() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(deletedClientsQuery);
  const [purged, setPurged] = useState<DeletedClient>();
  const clients = clientsIn(data);
  const deletions = deletionsIn(clients ?? []);
  // Only the last deletion may continue on the next page.
  const partial = hasNextPage ? lastKey(data) : undefined;
  const showRest = async () => {
    let page;
    do page = await fetchNextPage();
    while (page.hasNextPage && !page.isError && lastKey(page.data) === partial);
  };
  return (
    <Screen title={text('deleted.title')} lead={text('deleted.lead')}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!clients && !error && <Skeleton height={240} radius="lg" />}
      {clients?.length === 0 && (
        <EmptyState icon="trash" title={text('deleted.none')}>
          {text('deleted.none.how')}
        </EmptyState>
      )}
      <Stack gap="xl">
        {deletions.map((deletion) => (
          <DeletionGroup
            {...deletion}
            key={deletion.key}
            rest={
              deletion.key === partial
                ? { onShow: () => void showRest(), loading: isFetchingNextPage }
                : undefined
            }
            onPurge={setPurged}
          />
        ))}
        {hasNextPage && (
          <Group>
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {text('deleted.older')}
            </Button>
          </Group>
        )}
      </Stack>
      <PurgeClient deleted={purged} onClose={() => setPurged(undefined)} />
    </Screen>
  );
}

function clientsIn(data: DeletedClientPages | undefined): readonly DeletedClient[] | undefined {
  return data?.pages.flatMap((page) => page.clients);
}

function lastKey(data: DeletedClientPages | undefined): string | undefined {
  return deletionsIn(clientsIn(data) ?? []).at(-1)?.key;
}

interface DeletionGroupProps extends Omit<Deletion, 'key'> {
  /** If there may be more clients than those loaded: how to load them. */
  readonly rest: { readonly onShow: () => void; readonly loading: boolean } | undefined;
  readonly onPurge: (deleted: DeletedClient) => void;
}

/** What one request deleted can be restored together, once all of it is loaded. */
function DeletionGroup({ at, by, clients, rest, onPurge }: DeletionGroupProps) {
  const restoration = useRestoration();
  const restore = (ids: readonly string[]) => restoration.mutate(ids);
  const count = clients.length;
  const title = text(rest ? 'deleted.group.partial' : 'deleted.group', { count });
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2}>{title}</Title>
          <Text c="dimmed" size="sm" component="div">
            {text('deleted.at')} <RelativeTime at={at} />{' '}
            <span className="foreign">{text('deleted.by', { by })}</span>
          </Text>
        </div>
        {rest && (
          <Button variant="default" loading={rest.loading} onClick={rest.onShow}>
            {text('deleted.group.rest')}
          </Button>
        )}
        {!rest && count > 1 && (
          <ScopedButton
            scope={SCOPE}
            variant="default"
            leftSection={<Icon name="undo" />}
            loading={restoration.isPending}
            onClick={() => restore(clients.map(({ client_id: id }) => id))}
          >
            {text('deleted.restoreAll', { count })}
          </ScopedButton>
        )}
      </Group>
      <DataTable
        label={title}
        columns={columns({ busy: restoration.isPending, onRestore: restore, onPurge })}
        rows={clients}
        keyOf={({ client_id: id }) => id}
      />
    </section>
  );
}

interface DeletedActions {
  /** Some of the clients are being restored. */
  readonly busy: boolean;
  readonly onRestore: (ids: readonly string[]) => void;
  readonly onPurge: (deleted: DeletedClient) => void;
}

function columns({ busy, onRestore, onPurge }: DeletedActions): readonly DataColumn<DeletedClient>[] {
  return [
    {
      name: text('clients.column.name'),
      cell: ({ client_id: clientId, client }) => (
        <Link to="/clients/$clientId" params={{ clientId }} className="foreign">
          <bdi>{client.client_name}</bdi>
        </Link>
      ),
    },
    {
      name: text('clients.column.id'),
      cell: ({ client_id: id }) => <code className="foreign">{id}</code>,
    },
    {
      name: text('deleted.until'),
      cell: ({ restorable_until: until }) => formatDateTime(new Date(until)),
    },
    {
      name: text('deleted.actions'),
      cell: (deleted) => (
        <Group gap="xs" wrap="nowrap">
          <ScopedButton
            scope={SCOPE}
            size="xs"
            variant="default"
            disabled={busy}
            aria-label={text('deleted.restore.named', { name: deleted.client.client_name })}
            onClick={() => onRestore([deleted.client_id])}
          >
            {text('deleted.restore')}
          </ScopedButton>
          <ScopedButton
            scope={SCOPE}
            size="xs"
            variant="subtle"
            color="red"
            disabled={busy}
            aria-label={text('deleted.purge.named', { name: deleted.client.client_name })}
            onClick={() => onPurge(deleted)}
          >
            {text('deleted.purge')}
          </ScopedButton>
        </Group>
      ),
    },
  ];
}
