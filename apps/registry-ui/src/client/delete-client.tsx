import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import { askBody, clientPath } from '../api/request.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/text.js';

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
  const deletion = useDeletion({ client, etag });
  const confirmed = typed.trim() === client.client_name.trim();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (confirmed) deletion.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{text('client.delete.what')}</Text>
        {deletion.error && <Failure error={deletion.error} />}
        <TextInput
          label={text('client.delete.type')}
          description={<bdi className="foreign">{client.client_name}</bdi>}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!confirmed} loading={deletion.isPending}>
            {text('client.delete')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDeletion({ client, etag }: TaggedClient) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () =>
      askBody({
        method: 'DELETE',
        path: clientPath(client.client_id),
        ...(etag !== undefined && { headers: { 'if-match': etag } }),
      }),
    onSuccess: async () => {
      await navigate({ to: '/clients' });
      queries.removeQueries({ queryKey: ['client', client.client_id] });
      void queries.invalidateQueries({ queryKey: ['clients'] });
      notifications.show({ message: text('client.deleted', { name: client.client_name }) });
    },
  });
}
