import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import type { ClientDocument } from '../api/client-documents.js';
import { clientQuery } from '../api/client-queries.js';
import { invalidateClients } from '../api/invalidate-clients.js';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { Dialog } from '../elements/dialog.js';
import { Failure, showFailure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { focusTitle } from '../elements/screen.js';
import { ScopedButton } from '../elements/scopes.js';
import { StatusBadge } from '../elements/status-badge.js';
import { text } from '../texts/usage.js';
import { formatDateTime } from '../texts/times.js';

const SCOPE = 'clients:write';
const PATH = '/client/{client_id}/redirect_uris';

/** When a redirect URI ends, what it is for, and a button that removes it; nothing for one without an end. */
export function TemporaryUriEnd({ client, uri }: { readonly client: ClientDocument; readonly uri: string }) {
  const { client_id: clientId, temporary_redirect_uris: temporary } = client;
  const removal = useChange(clientId, async () =>
    fetchBody({
      path: PATH,
      method: 'DELETE',
      params: { client_id: clientId },
      query: { redirect_uri: uri },
    }),
  );
  const found = temporary?.find(({ redirect_uri: each }) => each === uri);
  if (!found) return null;
  return (
    <Group gap="sm">
      <StatusBadge kind="warn" icon="clock">
        {text('usage.ends', { time: formatDateTime(new Date(found.expires_at)) })}
      </StatusBadge>
      {found.note !== undefined && <bdi className="foreign">{found.note}</bdi>}
      <ScopedButton
        scope={SCOPE}
        variant="subtle"
        color="gray"
        size="compact-sm"
        loading={removal.isPending}
        aria-label={text('usage.remove', { uri })}
        onClick={() => removal.mutate(undefined, { onError: (error) => showFailure(error) })}
      >
        <Icon name="cross" size={14} />
      </ScopedButton>
    </Group>
  );
}

/** Opens a form that adds a redirect URI for a while, without sending the others. */
export function AddTemporaryUri({ client }: { readonly client: ClientDocument }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ScopedButton
        scope={SCOPE}
        variant="default"
        size="xs"
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => setOpened(true)}
      >
        {text('usage.add')}
      </ScopedButton>
      <TemporaryUriDialog clientId={client.client_id} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

const LIVES = [1, 7, 30, 90] as const;

interface TemporaryUri {
  readonly uri: string;
  readonly days: string;
  readonly note: string;
}

interface TemporaryUriDialogProps {
  readonly clientId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function TemporaryUriDialog({ clientId, opened, onClose }: TemporaryUriDialogProps) {
  const addition = useChange(clientId, async ({ uri, days, note }: TemporaryUri) =>
    fetchBody({
      path: PATH,
      method: 'POST',
      params: { client_id: clientId },
      body: {
        redirect_uri: uri.trim(),
        expires_in: `${days} d`,
        ...(note.trim() !== '' && { note: note.trim() }),
      },
    }),
  );
  const close = () => {
    addition.reset();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      title={text('usage.add.title')}
      guarded={addition.isPending}
      hasInputs
      onClose={close}
    >
      <TemporaryUriForm
        pending={addition.isPending}
        error={addition.error}
        onAdd={(values) => addition.mutate(values, { onSuccess: close })}
        onClose={close}
      />
    </Dialog>
  );
}

interface TemporaryUriFormProps {
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onAdd: (values: TemporaryUri) => void;
  readonly onClose: () => void;
}

function TemporaryUriForm({ pending, error, onAdd, onClose }: TemporaryUriFormProps) {
  const [values, setValues] = useState<TemporaryUri>({ uri: '', days: '7', note: '' });
  const violation =
    error instanceof ApiError
      ? error.errors.find(({ field }) => field.startsWith('/redirect_uri'))?.message
      : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAdd(values);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Inputs values={values} violation={violation} onChange={setValues} />
        {error && violation === undefined && <Failure error={error} takesFocus />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={pending} onClick={onClose}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" disabled={values.uri.trim() === ''} loading={pending}>
            {text('usage.add.do')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface InputsProps {
  readonly values: TemporaryUri;
  readonly violation: string | undefined;
  readonly onChange: (values: TemporaryUri) => void;
}

function Inputs({ values, violation, onChange }: InputsProps) {
  return (
    <>
      <TextInput
        label={text('usage.add.uri')}
        value={values.uri}
        onChange={(event) => onChange({ ...values, uri: event.currentTarget.value })}
        error={violation}
        placeholder="https://preview.shop.example/cb"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        inputMode="url"
        className="mono-input"
        data-autofocus
      />
      <NativeSelect
        label={text('usage.add.life')}
        value={values.days}
        onChange={(event) => onChange({ ...values, days: event.currentTarget.value })}
        data={LIVES.map((life) => ({ value: String(life), label: text('usage.life', { count: life }) }))}
      />
      <TextInput
        label={text('usage.add.note')}
        value={values.note}
        maxLength={200}
        onChange={(event) => onChange({ ...values, note: event.currentTarget.value })}
        autoComplete="off"
      />
    </>
  );
}

/** Changes one redirect URI, and refetches what depends on it. */
function useChange<Values = void>(clientId: string, change: (values: Values) => Promise<unknown>) {
  const queries = useQueryClient();
  return useSingleMutation<unknown, Values>({
    mutationFn: change,
    onSuccess: async () => {
      invalidateClients(queries);
      await queries.invalidateQueries(clientQuery(clientId));
      await queries.invalidateQueries({ queryKey: ['usage', clientId] });
      // The button that removed it is gone.
      focusTitle();
    },
  });
}
