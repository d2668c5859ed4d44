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

/** What someone else has saved in the meantime, and what of it was shown before. */
interface Conflict {
  readonly theirs: TaggedClient;
  readonly shown: TaggedClient | undefined;
}

/** The form of one client, and the merge with concurrent changes. */
export function EditForm({ features, opened }: EditFormProps) {
  const { client, etag } = opened;
  const { client_id: clientId } = client;
  const [conflict, setConflict] = useState<Conflict>();
  const form = useClientForm({ features, current: client as typeof client & Record<string, unknown> });
  const queries = useQueryClient();
  const navigate = useNavigate();
  /** Shows the merge if the failure was a concurrent change; otherwise calls `refuse`. */
  const take = (error: Error, refuse: (error: Error) => void) => {
    if (!(error instanceof ApiError) || error.status !== 412) return refuse(error);
    const current = queries.fetchQuery({ ...clientQuery(clientId), staleTime: 0 });
    current.then((theirs) => setConflict({ theirs, shown: conflict?.theirs }), refuse);
  };
  const saving = useSaving(clientId, (error) => take(error, form.refuse));
  return (
    <>
      {conflict && (
        <Merge
          {...conflict}
          features={features}
          fields={form.fields}
          before={opened}
          mine={form.body}
          onRefused={take}
          onBack={() => setConflict(undefined)}
        />
      )}
      <div hidden={conflict !== undefined}>
        <ClientForm
          form={form}
          submitLabel={text('edit.save')}
          submitting={saving.isPending}
          onSubmit={() => saving.mutate({ body: form.body, etag })}
          cancel={
            <Button
              variant="subtle"
              color="gray"
              onClick={() => void navigate({ to: '/clients/$clientId', params: { clientId } })}
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
