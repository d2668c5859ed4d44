import { type RefObject, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import type { ClientDocument, ClientSecret, TaggedClient } from '../api/client-documents.js';
import { clientQuery } from '../api/client-queries.js';
import { useIdempotencyKey } from '../api/idempotency-key.js';
import { callApi } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { Failure } from '../elements/failure.js';
import { MissedNotice } from '../elements/missed-notice.js';
import { Notice } from '../elements/notice.js';
import { useNow } from '../elements/relative-time.js';
import { SecretRevealDialog } from '../elements/secret-reveal.js';
import { text, type TextName } from '../texts/secrets.js';
import { formatDateTime } from '../texts/times.js';

const ROTATION_KEY = ['rotate-secret'];

const SECOND_MS = 1000;

interface RotateSecretProps {
  readonly client: ClientDocument;
  /** ETag of the client as shown: a client that has another secret since is not rotated again. */
  readonly etag?: string | undefined;
  readonly opened: boolean;
  readonly returnTo?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** Creates a new secret. The previous one may stay valid for a while, or expire with the request. */
export function RotateSecret({ client, etag, opened, returnTo, onClose }: RotateSecretProps) {
  const rotation = useRotation(client.client_id, etag);
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
        secrets={client.client_secrets}
        pending={rotation.isPending}
        error={rotation.error}
        isMissed={rotation.isSuccess}
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

/**
 * Retrying after a lost response does not rotate twice. The response then has no secret. A retry with other choices is another
 * rotation, which would revoke the secret in use: the ETag prevents it until the dialog shows that there are two.
 */
function useRotation(clientId: string, etag: string | undefined) {
  const queries = useQueryClient();
  const { keyOf, forget } = useIdempotencyKey();
  return useSingleMutation({
    mutationKey: ROTATION_KEY,
    mutationFn: async ({ overlap, lifetime }: Rotation) => {
      const body = { ...(overlap !== '' && { overlap }), ...(lifetime !== '' && { expires_in: lifetime }) };
      return callApi({
        method: 'POST',
        path: '/client/{client_id}/reset_secret',
        params: { client_id: clientId },
        headers: { 'idempotency-key': keyOf(body), ...(etag !== undefined && { 'if-match': etag }) },
        body,
      });
    },
    onSuccess: ({ body: { client_secret: _, ...client }, etag }) => {
      forget();
      queries.setQueryData(clientQuery(clientId).queryKey, { client, etag } as TaggedClient);
      invalidateClients(queries);
    },
    // It may have rotated nevertheless.
    onError: () => void queries.invalidateQueries(clientQuery(clientId)),
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
  readonly secrets: readonly ClientSecret[];
  readonly pending: boolean;
  readonly error: Error | null;
  /** An earlier attempt has rotated the secret, but its response was lost. */
  readonly isMissed: boolean;
  readonly onRotate: (rotation: Rotation) => void;
  readonly onCancel: () => void;
}

function RotationForm({ secrets, pending, error, isMissed, onRotate, onCancel }: RotationFormProps) {
  const [overlap, setOverlap] = useState('24 h');
  const [lifetime, setLifetime] = useState('');
  const [seen, setSeen] = useState(secrets);
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
      {isMissed && <MissedNotice title={text('secret.missed')} how={text('secret.missed.how')} />}
      <OlderSecretNotice secrets={secrets} />
      {error && <RotationFailure error={error} rotated={newestOf(seen) !== newestOf(secrets)} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={pending} onClick={onCancel}>
          {text('action.cancel')}
        </Button>
        <Button
          color={overlap === '' ? 'red' : 'iris'}
          loading={pending}
          onClick={() => {
            setSeen(secrets);
            onRotate({ overlap, lifetime });
          }}
        >
          {text('secret.rotate')}
        </Button>
      </Group>
    </Stack>
  );
}

interface RotationFailureProps {
  readonly error: Error;
  /** There is another secret than when the button was pressed. */
  readonly rotated: boolean;
}

function RotationFailure({ error, rotated }: RotationFailureProps) {
  if (!(error instanceof ApiError) || error.status !== 412) return <Failure error={error} takesFocus />;
  return (
    <MissedNotice
      title={text(rotated ? 'secret.outdated.rotated' : 'secret.outdated')}
      how={text('secret.outdated.how')}
    />
  );
}

/** When the newest secret was created. */
function newestOf(secrets: readonly ClientSecret[]): string | undefined {
  return secrets
    .map(({ created_at }) => created_at)
    .toSorted()
    .at(-1);
}

/** Warns about the valid secret that ends with a rotation in any case, since only the newest one can stay valid. */
function OlderSecretNotice({ secrets }: { readonly secrets: readonly ClientSecret[] }) {
  const now = useNow(SECOND_MS);
  const older = secrets.toSorted((one, other) => one.created_at.localeCompare(other.created_at)).at(-2);
  if (older === undefined) return null;
  if (older.expires_at !== undefined && Date.parse(older.expires_at) <= now) return null;
  return (
    <Notice kind="warn" title={text('secret.ends')}>
      <p>{text('secret.ends.which', { time: formatDateTime(new Date(older.created_at)) })}</p>
    </Notice>
  );
}
