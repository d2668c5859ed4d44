import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { clientQuery } from '../api/client-queries.js';
import type { Features, TaggedClient } from '../api/client-documents.js';
import { ClientForm } from '../form/client-form.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { useClientForm } from '../form/use-client-form.js';
import { text } from '../texts/text.js';
import { Merge } from './merge.js';
import { useSaving } from './use-saving.js';

interface EditFormProps {
  readonly features: Features;
  readonly opened: TaggedClient;
}

/** The form of one Client, and the merge with what somebody else saved meanwhile. */
export function EditForm({ features, opened }: EditFormProps) {
  const { client, etag } = opened;
  const [theirs, setTheirs] = useState<TaggedClient>();
  const form = useClientForm({ features, current: client as typeof client & Record<string, unknown> });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const saving = useSaving(client.client_id, (error) => {
    if (!(error instanceof ApiError) || error.status !== 412) return form.refuse(error);
    queries.fetchQuery({ ...clientQuery(client.client_id), staleTime: 0 }).then(setTheirs, form.refuse);
  });
  return (
    <>
      {theirs && (
        <Merge
          fields={form.fields}
          before={client}
          theirs={theirs.client}
          mine={form.body}
          saving={saving.isPending}
          failure={form.failure}
          onSave={(body) => saving.mutate({ body, etag: theirs.etag })}
          onBack={() => setTheirs(undefined)}
        />
      )}
      <div hidden={theirs !== undefined}>
        <ClientForm
          form={form}
          submitLabel={text('edit.save')}
          submitting={saving.isPending}
          onSubmit={() => saving.mutate({ body: form.body, etag })}
          cancel={
            <Button
              variant="subtle"
              color="gray"
              onClick={() =>
                void navigate({ to: '/clients/$clientId', params: { clientId: client.client_id } })
              }
            >
              {text('action.cancel')}
            </Button>
          }
        />
      </div>
      <LeaveGuard guards={form.dirty} title="leave.title" what="leave.form" />
    </>
  );
}
