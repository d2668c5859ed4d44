import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import type { ClientDocument, TaggedClient } from '../api/client-documents.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/text.js';
import { ChangedMeanwhile } from './changed-meanwhile.js';
import { compareTyped } from './typed-name.js';
import { useDeletion } from './use-deletion.js';

interface DeleteClientProps extends TaggedClient {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for the Client's name before it is deleted, which cannot be undone. */
export function DeleteClient({ opened, onClose, ...tagged }: DeleteClientProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={text('client.delete.title')}>
      <Confirmation {...tagged} onClose={onClose} />
    </Modal>
  );
}

function Confirmation({ client, etag, onClose }: Omit<DeleteClientProps, 'opened'>) {
  const [typed, setTyped] = useState('');
  const [before, setBefore] = useState<ClientDocument>();
  const deletion = useDeletion({ client, etag }, () => {
    // Who confirmed had another Client before their eyes.
    setBefore(client);
    setTyped('');
  });
  const comparison = compareTyped(typed, client.client_name);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (comparison === 'same') deletion.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{text('client.delete.what')}</Text>
        {before && <ChangedMeanwhile before={before} after={client} />}
        {deletion.error && <Failure error={deletion.error} />}
        <TextInput
          label={text('client.delete.type')}
          description={<bdi className="foreign">{client.client_name}</bdi>}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={comparison === 'other' ? text('client.delete.other') : undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" color="red" disabled={comparison !== 'same'} loading={deletion.isPending}>
            {text('client.delete')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
