import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { clientQuery, featuresQuery } from '../api/client-queries.js';
import type { TaggedClient } from '../api/client-documents.js';
import { Failure } from '../elements/failure.js';
import { ScopeNotice } from '../elements/scopes.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/text.js';
import { BackToClient } from '../navigation/back-links.js';
import { EditForm } from './edit-form.js';

const route = getRouteApi('/clients/$clientId/edit');

/** Edits a client as it was when the screen was opened; concurrent changes are merged on saving. */
export function EditScreen() {
  const { clientId } = route.useParams();
  const [client, features] = useQueries({ queries: [clientQuery(clientId), featuresQuery] });
  const [opened, setOpened] = useState<TaggedClient>();
  if (!opened && client.data && !client.isStale) setOpened(client.data);
  const error = client.error ?? features.error;
  const retry = () => {
    for (const query of [client, features]) if (query.error) void query.refetch();
  };
  return (
    <Screen
      title={text('edit.title', { name: opened?.client.client_name ?? clientId })}
      above={<BackToClient clientId={clientId} />}
    >
      <ScopeNotice scope="clients:write" />
      {!opened && error && <Failure error={error} onRetry={retry} />}
      {!opened && !error && <Skeleton height={320} radius="lg" />}
      {opened && features.data && <EditForm features={features.data} opened={opened} />}
    </Screen>
  );
}
