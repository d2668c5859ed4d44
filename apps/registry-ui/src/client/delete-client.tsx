import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, type SubmitEvent, useState } from 'react';
import type { ClientDocument } from '@svc/client-metadata';
import type { TaggedClient } from '../api/client-documents.js';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/text.js';
import { ChangedMeanwhile } from './changed-meanwhile.js';
import { compareTyped } from './typed-name.js';
import { useDeletion } from './use-deletion.js';

interface DeleteClientProps extends TaggedClient {
  readonly opened: boolean;
  readonly returnTo: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** Asks for the Client's name before it is deleted, which cannot be undone. */
export function DeleteClient({ opened, returnTo, onClose, ...tagged }: DeleteClientProps) {
  const { client } = tagged;
  const [typed, setTyped] = useState('');
  const [before, setBefore] = useState<ClientDocument>();
  const deletion = useDeletion(tagged, (was) => {
    // Who confirmed had another Client before their eyes.
    setBefore(was);
    setTyped('');
  });
  const close = () => {
    deletion.reset();
    setBefore(undefined);
    setTyped('');
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      title={text('client.delete.title')}
      guarded={deletion.isPending}
      returnTo={returnTo}
      onClose={close}
    >
      <Confirmation
        name={client.client_name}
        typed={typed}
        onType={setTyped}
        pending={deletion.isPending}
        onDelete={deletion.mutate}
        onCancel={close}
        error={deletion.error}
      >
        {before && <ChangedMeanwhile before={before} after={client} />}
      </Confirmation>
    </Dialog>
  );
}

interface ConfirmationProps {
  readonly name: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly pending: boolean;
  readonly onDelete: () => void;
  readonly onCancel: () => void;
  readonly error: Error | null;
  /** What came of the attempts so far. */
  readonly children: ReactNode;
}

function Confirmation(props: ConfirmationProps) {
  const { name, typed, onType, pending, onDelete, onCancel, error, children } = props;
  const comparison = compareTyped(typed, name);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (comparison === 'same') onDelete();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{text('client.delete.what')}</Text>
        {children}
        <TextInput
          label={text('client.delete.type')}
          description={<bdi className="foreign">{name}</bdi>}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
          error={comparison === 'other' ? text('client.delete.other') : undefined}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {error && <Failure error={error} takesFocus />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={pending} onClick={onCancel}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" color="red" disabled={comparison !== 'same'} loading={pending}>
            {text('client.delete')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
