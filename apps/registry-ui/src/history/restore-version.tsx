import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { showToast } from '../elements/show-toast.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import { clientQuery, featuresQuery } from '../api/client-queries.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import { callApi, fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { ScopedButton } from '../elements/scopes.js';
import { text } from '../texts/history.js';
import { Differences } from './differences.js';
import { versionDifference } from './difference.js';

interface RestoreVersionProps extends TaggedClient {
  /** Number of the change after which the client was as wanted. */
  readonly seq: number;
}

/** Puts a version back after showing what that changes. Secrets and the state stay as they are. */
export function RestoreVersion({ seq, ...tagged }: RestoreVersionProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const restoration = useVersionRestoration(tagged, () => setOpened(false));
  const close = () => {
    setOpened(false);
    restoration.reset();
  };
  return (
    <>
      <ScopedButton
        ref={button}
        scope="clients:write"
        size="xs"
        variant="default"
        leftSection={<Icon name="undo" />}
        onClick={() => setOpened(true)}
      >
        {text('version.restore')}
      </ScopedButton>
      <Dialog
        opened={opened}
        size="lg"
        title={text('version.title')}
        guarded={restoration.isPending}
        returnTo={button}
        onClose={close}
      >
        <Confirming client={tagged.client} seq={seq} restoration={restoration} onClose={close} />
      </Dialog>
    </>
  );
}

interface ConfirmingProps extends Pick<RestoreVersionProps, 'client' | 'seq'> {
  readonly restoration: ReturnType<typeof useVersionRestoration>;
  readonly onClose: () => void;
}

function Confirming({ client, seq, restoration, onClose }: ConfirmingProps) {
  const version = useQuery(versionQuery(client.client_id, seq));
  const features = useQuery(featuresQuery);
  const failed = [version, features].find(({ error }) => error);
  if (failed?.error) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!version.data || !features.data) return <Skeleton height={160} radius="lg" />;
  const { metadata } = version.data;
  const changed = versionDifference(client, metadata, features.data.fields);
  if (changed.length === 0) return <Text>{text('version.same')}</Text>;
  return (
    <Stack gap="md">
      <Text>{text('version.what')}</Text>
      <Differences changed={changed} />
      {restoration.error && <Failure error={restoration.error} takesFocus />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={restoration.isPending} onClick={onClose} data-autofocus>
          {text('action.cancel')}
        </Button>
        <Button loading={restoration.isPending} onClick={() => restoration.mutate(metadata)}>
          {text('version.restore')}
        </Button>
      </Group>
    </Stack>
  );
}

const versionQuery = (clientId: string, seq: number) => ({
  queryKey: ['history', clientId, seq],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    fetchBody({
      path: '/client/{client_id}/history/{seq}',
      params: { client_id: clientId, seq },
      signal,
    }),
  staleTime: Infinity,
});

/** If someone has changed the client meanwhile, the difference is shown again, to be confirmed again. */
function useVersionRestoration({ client, etag }: TaggedClient, onDone: () => void) {
  const queries = useQueryClient();
  const { client_id: clientId } = client;
  const { queryKey } = clientQuery(clientId);
  return useSingleMutation({
    mutationFn: async (metadata: Version) =>
      callApi({
        method: 'PUT',
        path: '/client/{client_id}',
        params: { client_id: clientId },
        headers: etag === undefined ? {} : { 'if-match': etag },
        body: metadata,
      }),
    onSuccess: ({ body, etag: fresh }) => {
      queries.setQueryData(queryKey, { client: body, etag: fresh } satisfies TaggedClient);
      invalidateClients(queries);
      showToast({ message: text('version.restored', { name: body.client_name }) });
      onDone();
    },
    onError: () => void queries.invalidateQueries({ queryKey }),
  });
}

type Version = Awaited<ReturnType<ReturnType<typeof versionQuery>['queryFn']>>['metadata'];
