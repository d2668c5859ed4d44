import type { RefObject } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/changed-clients.js';
import { clientQuery } from '../api/client-queries.js';
import type { ClientDocument } from '@svc/client-metadata';
import type { TaggedClient } from '../api/client-documents.js';
import { ask, clientPath } from '../api/request.js';
import { OnceShownDialog } from '../elements/once-shown-dialog.js';
import { text } from '../texts/text.js';
import { OverlapForm } from './overlap-form.js';

const ROTATION = ['rotate-secret'];

interface RotateSecretProps {
  readonly client: ClientDocument;
  readonly opened: boolean;
  readonly returnTo?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** Makes a new secret; the former one may stay valid for a while, or may have ended once the new one is asked for. */
export function RotateSecret({ client, opened, returnTo, onClose }: RotateSecretProps) {
  const rotation = useRotation(client.client_id);
  const secret = rotation.data?.body.client_secret;
  const close = () => {
    rotation.reset();
    onClose();
  };
  return (
    <OnceShownDialog
      opened={opened}
      returnTo={returnTo}
      title={text(secret === undefined ? 'secret.rotate.title' : 'secret.rotated')}
      pending={rotation.isPending}
      mutationKey={ROTATION}
      loss={{ title: 'leave.secret.title', what: 'leave.rotating' }}
      shown={secret === undefined ? undefined : shownSecret(secret)}
      onClose={close}
    >
      <OverlapForm
        pending={rotation.isPending}
        error={rotation.error}
        onRotate={rotation.mutate}
        onCancel={close}
      />
    </OnceShownDialog>
  );
}

function shownSecret(secret: string) {
  return {
    name: text('secret.name'),
    value: secret,
    copyLabel: text('secret.copy'),
    advice: text('secret.once'),
    loss: { title: 'leave.secret.title', what: 'leave.secret' },
  } as const;
}

function useRotation(clientId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ROTATION,
    mutationFn: async (overlap: string) =>
      ask<ClientDocument & { readonly client_secret: string }>({
        method: 'POST',
        path: clientPath(clientId, 'reset_secret'),
        body: overlap === '' ? {} : { overlap },
      }),
    onSuccess: ({ body: { client_secret: _, ...client }, etag }) => {
      queries.setQueryData(clientQuery(clientId).queryKey, { client, etag } as TaggedClient);
      invalidateClients(queries);
    },
  });
}
