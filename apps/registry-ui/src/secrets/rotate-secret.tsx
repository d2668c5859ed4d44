import { type RefObject, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { invalidateClients } from '../api/invalidate-clients.js';
import type { ClientDocument, TaggedClient } from '../api/client-documents.js';
import { clientQuery } from '../api/client-queries.js';
import { callApi } from '../api/request.js';
import { Failure } from '../elements/failure.js';
import { SecretRevealDialog } from '../elements/secret-reveal.js';
import { text, type TextName } from '../texts/secrets.js';

const ROTATION_KEY = ['rotate-secret'];

interface RotateSecretProps {
  readonly client: ClientDocument;
  readonly opened: boolean;
  readonly returnTo?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** Creates a new secret. The previous one may stay valid for a while, or expire with the request. */
export function RotateSecret({ client, opened, returnTo, onClose }: RotateSecretProps) {
  const rotation = useRotation(client.client_id);
  const secret = rotation.data?.body.client_secret;
  const close = () => {
    rotation.reset();
    onClose();
  };
  return (
    <SecretRevealDialog
      opened={opened}
      returnTo={returnTo}
      title={text(secret === undefined ? 'secret.rotate.title' : 'secret.rotated')}
      pending={rotation.isPending}
      mutationKey={ROTATION_KEY}
      loss={{ title: text('leave.secret.title'), what: text('leave.rotating') }}
      shown={secret === undefined ? undefined : shownSecret(secret)}
      onClose={close}
    >
      <RotationForm
        pending={rotation.isPending}
        error={rotation.error}
        onRotate={rotation.mutate}
        onCancel={close}
      />
    </SecretRevealDialog>
  );
}

function shownSecret(secret: string) {
  return {
    name: text('secret.name'),
    value: secret,
    copyLabel: text('secret.copy'),
    advice: text('secret.once'),
    loss: { title: text('leave.secret.title'), what: text('leave.secret') },
  } as const;
}

function useRotation(clientId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ROTATION_KEY,
    mutationFn: async ({ overlap, lifetime }: Rotation) =>
      callApi({
        method: 'POST',
        path: '/client/{client_id}/reset_secret',
        params: { client_id: clientId },
        body: { ...(overlap !== '' && { overlap }), ...(lifetime !== '' && { expires_in: lifetime }) },
      }),
    onSuccess: ({ body: { client_secret: _, ...client }, etag }) => {
      queries.setQueryData(clientQuery(clientId).queryKey, { client, etag } as TaggedClient);
      invalidateClients(queries);
    },
  });
}

/** Both as the HTTP API writes them. */
interface Rotation {
  /** How long the previous secret stays valid; empty: it expires immediately. */
  readonly overlap: string;
  /** How long the new one is valid; empty: as long as the registry allows. */
  readonly lifetime: string;
}

const OVERLAPS: readonly { readonly value: string; readonly label: TextName }[] = [
  { value: '24 h', label: 'overlap.day' },
  { value: '7 d', label: 'overlap.week' },
  { value: '30 d', label: 'overlap.month' },
  { value: '', label: 'overlap.none' },
];

const LIFETIMES: readonly { readonly value: string; readonly label: TextName }[] = [
  { value: '', label: 'lifetime.longest' },
  { value: '30 d', label: 'lifetime.month' },
  { value: '90 d', label: 'lifetime.quarter' },
  { value: '365 d', label: 'lifetime.year' },
];

interface RotationFormProps {
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onRotate: (rotation: Rotation) => void;
  readonly onCancel: () => void;
}

function RotationForm({ pending, error, onRotate, onCancel }: RotationFormProps) {
  const [overlap, setOverlap] = useState('24 h');
  const [lifetime, setLifetime] = useState('');
  return (
    <Stack gap="md">
      <Text>{text('secret.rotate.what')}</Text>
      <Radio.Group label={text('overlap.label')} value={overlap} onChange={setOverlap}>
        <Stack gap="sm" mt="sm">
          {OVERLAPS.map(({ value, label }) => (
            <Radio
              key={value}
              value={value}
              label={text(label)}
              description={value === '' ? text('overlap.none.what') : undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={text('lifetime.label')}
        value={lifetime}
        onChange={(event) => setLifetime(event.currentTarget.value)}
        data={LIFETIMES.map(({ value, label }) => ({ value, label: text(label) }))}
      />
      {error && <Failure error={error} takesFocus />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={pending} onClick={onCancel}>
          {text('action.cancel')}
        </Button>
        <Button
          color={overlap === '' ? 'red' : 'iris'}
          loading={pending}
          onClick={() => onRotate({ overlap, lifetime })}
        >
          {text('secret.rotate')}
        </Button>
      </Group>
    </Stack>
  );
}
