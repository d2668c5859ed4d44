import { Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.js';
import type { ClientDocument, TaggedClient } from '../api/client-documents.js';
import { clientQuery } from '../api/client-queries.js';
import { deletedClientQuery } from '../deleted/deleted-clients.js';
import { DeletedNotice } from '../deleted/deleted-notice.js';
import { CopyButton } from '../elements/copy-button.js';
import { Failure } from '../elements/failure.js';
import { RelativeTime } from '../elements/relative-time.js';
import { Screen } from '../elements/screen.js';
import { StatusBadge } from '../elements/status-badge.js';
import { ClientHistory, historyQuery } from '../history/client-history.js';
import { BackToClients } from '../navigation/back-links.js';
import { text } from '../texts/client.js';
import { ClientActions } from './client-actions.js';
import { isClientTab } from './client-tab-names.js';
import { CLIENT_TABS } from './client-tabs.js';
import classes from './client.module.css';

const route = getRouteApi('/clients/$clientId');

export function ClientScreen() {
  const { clientId } = route.useParams();
  const { data, error, refetch } = useQuery(clientQuery(clientId));
  const isMissing = error instanceof ApiError && error.status === 404;
  const { data: deleted } = useQuery({ ...deletedClientQuery(clientId), enabled: isMissing });
  const failure = error && <Failure error={error} onRetry={() => void refetch()} />;
  const missing = isMissing && (
    <DeletedNotice clientId={clientId} otherwise={failure} announced={data !== undefined} />
  );
  if (data) return <LoadedClient {...data} outdated={missing || failure} key={clientId} />;
  return (
    <Screen
      title={error ? (deleted?.client.client_name ?? text('client.unknown')) : clientId}
      above={<BackToClients />}
    >
      {!error && <Loading />}
      {error && !isMissing && failure}
      {isMissing && (
        <>
          {missing}
          <DeletedClientHistory clientId={clientId} />
        </>
      )}
    </Screen>
  );
}

/** @param outdated what to say if the client has been deleted since, or cannot be read again; a form being filled in stays */
function LoadedClient({ outdated, ...tagged }: TaggedClient & { readonly outdated: ReactNode }) {
  const { client } = tagged;
  const { tab = 'settings' } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In a narrow window, the tabs scroll sideways.
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [tab]);
  const open = (name: string | null) => {
    if (isClientTab(name)) void navigate({ search: { tab: name }, replace: true });
  };
  return (
    <Screen
      title={client.client_name}
      lead={<ClientIdentity client={client} />}
      above={<BackToClients />}
      actions={<ClientActions {...tagged} />}
    >
      {outdated}
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List ref={list} aria-label={text('client.tabs')} className={classes.tabs}>
          {CLIENT_TABS.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {text(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {CLIENT_TABS.map(({ id, Content }) => (
          <Tabs.Panel key={id} value={id} pt="lg">
            <Content {...tagged} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}

/** A deleted client keeps its history. An unknown id has none, and that error is not reported twice. */
function DeletedClientHistory({ clientId }: { readonly clientId: string }) {
  const { isError } = useInfiniteQuery(historyQuery(clientId));
  return isError ? null : <ClientHistory clientId={clientId} />;
}

function Loading() {
  return (
    <Stack gap="lg" aria-busy>
      <Skeleton height={36} />
      <Skeleton height={240} radius="lg" />
    </Stack>
  );
}

/** The line below a client's name: its id and age. */
function ClientIdentity({ client }: { readonly client: ClientDocument }) {
  return (
    <Group gap="md">
      {!client.enabled && (
        <StatusBadge kind="warn" icon="pause">
          {text(client.pending ? 'state.pending' : 'state.disabled')}
        </StatusBadge>
      )}
      {client.warnings.length > 0 && (
        <StatusBadge kind="warn">{text('clients.warnings', { count: client.warnings.length })}</StatusBadge>
      )}
      <Group gap="xs" wrap="nowrap">
        <code className="foreign">{client.client_id}</code>
        <CopyButton value={client.client_id} what={text('clients.column.id')} />
      </Group>
      <span>
        {text('client.registered')} <RelativeTime at={client.created_at} />
      </span>
      {client.updated_at !== client.created_at && (
        <span>
          {text('client.changed')} <RelativeTime at={client.updated_at} />
        </span>
      )}
    </Group>
  );
}
