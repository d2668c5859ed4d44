import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clientQuery } from '../api/client-queries.js';
import type { ClientDocument, TaggedClient } from '../api/client-documents.js';
import { ask, clientPath } from '../api/request.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { OnceShownPanel } from '../elements/once-shown-panel.js';
import { text } from '../texts/text.js';
import { OverlapForm } from './overlap-form.js';

interface RotateSecretProps {
  readonly client: ClientDocument;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a new secret; the former one may stay valid for a while. The dialog is not left by a stray click with it. */
export function RotateSecret({ client, opened, onClose }: RotateSecretProps) {
  const [secret, setSecret] = useState<string>();
  const rotation = useRotation(client.client_id, setSecret);
  const close = () => {
    setSecret(undefined);
    rotation.reset();
    onClose();
  };
  // Once it is asked for, the former secret may have ended: the answer is not to be missed.
  const guarded = rotation.isPending || secret !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={text(secret === undefined ? 'secret.rotate.title' : 'secret.rotated')}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
      size="lg"
    >
      {secret !== undefined ? (
        <OnceShownPanel
          name={text('secret.name')}
          value={secret}
          copyLabel={text('secret.copy')}
          advice={text('secret.once')}
          loss={{ title: 'leave.secret.title', what: 'leave.secret' }}
          onDone={close}
        />
      ) : (
        <OverlapForm
          pending={rotation.isPending}
          error={rotation.error}
          onRotate={rotation.mutate}
          onCancel={close}
        />
      )}
      <LeaveGuard guards={rotation.isPending} title="leave.secret.title" what="leave.rotating" />
    </Modal>
  );
}

function useRotation(clientId: string, onSecret: (secret: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (overlap: string) =>
      ask<ClientDocument & { readonly client_secret: string }>({
        method: 'POST',
        path: clientPath(clientId, 'reset_secret'),
        body: overlap === '' ? {} : { overlap },
      }),
    onSuccess: ({ body: { client_secret: secret, ...client }, etag }) => {
      queries.setQueryData(clientQuery(clientId).queryKey, { client, etag } as TaggedClient);
      void queries.invalidateQueries({ queryKey: ['clients'] });
      void queries.invalidateQueries({ queryKey: ['history', clientId] });
      onSecret(secret);
    },
  });
}
