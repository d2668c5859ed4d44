import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/bulk.js';
import classes from './bulk-bar.module.css';

const MAX_NAMES = 20;

interface DeleteManyProps {
  readonly clients: readonly ClientDocument[];
  readonly opened: boolean;
  readonly pending: boolean;
  readonly error: Error | null;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** Asks for the number of clients before deleting them. */
export function DeleteMany({ opened, onClose, ...confirmed }: DeleteManyProps) {
  const title = text('bulk.delete.title', { count: confirmed.clients.length });
  return (
    <Dialog opened={opened} title={title} guarded={confirmed.pending} hasInputs onClose={onClose}>
      <Confirming {...confirmed} onClose={onClose} />
    </Dialog>
  );
}

function Confirming({ clients, pending, error, onDelete, onClose }: Omit<DeleteManyProps, 'opened'>) {
  const [typed, setTyped] = useState('');
  const confirmed = typed.trim() === String(clients.length);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (confirmed) onDelete();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{text('bulk.delete.what')}</Text>
        <ul className={classes.names} tabIndex={0} aria-label={text('bulk.delete.names')}>
          {clients.slice(0, MAX_NAMES).map(({ client_id, client_name }) => (
            <li key={client_id}>
              <bdi className="foreign">{client_name}</bdi>
            </li>
          ))}
          {clients.length > MAX_NAMES && <li>{text('list.more', { count: clients.length - MAX_NAMES })}</li>}
        </ul>
        <TextInput
          label={text('bulk.delete.type', { count: clients.length })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
        />
        {error && <Failure error={error} takesFocus />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={pending} onClick={onClose}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" color="red" disabled={!confirmed} loading={pending}>
            {text('client.delete')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
