import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, type RefObject, type SubmitEvent, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '../elements/show-toast.js';
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.js';
import { invalidateDependents } from '../api/invalidate-clients.js';
import type { ClientDocument, TaggedClient } from '../api/client-documents.js';
import { renewLists } from '../api/client-lists.js';
import { clientQuery } from '../api/client-queries.js';
import { fetchBody } from '../api/request.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { sameValue } from '../form/form-values.js';
import { useFieldLabel } from '../history/use-field-label.js';
import { text } from '../texts/client.js';
import { compareTyped } from './typed-name.js';

interface DeleteClientProps extends TaggedClient {
  readonly opened: boolean;
  readonly returnTo: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

const DELETION_KEY = ['delete-client'];

/** Asks for the client's name before deleting it. */
export function DeleteClient({ opened, returnTo, onClose, ...tagged }: DeleteClientProps) {
  const { client } = tagged;
  const [typed, setTyped] = useState('');
  const [before, setBefore] = useState<ClientDocument>();
  const deletion = useDeletion(tagged, (was) => {
    // The user confirmed the deletion of an earlier version.
    setBefore(was);
    setTyped('');
  });
  const queries = useQueryClient();
  const close = () => {
    // A deletion that has just begun is not rendered as running yet.
    if (queries.isMutating({ mutationKey: DELETION_KEY }) > 0) return;
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
      hasInputs
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
        {before && <ConcurrentChanges before={before} after={client} />}
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
  /** The outcome of earlier attempts. */
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

interface ConcurrentChangesProps {
  readonly before: ClientDocument;
  readonly after: ClientDocument;
}

/** Fields that follow from others or change with any of them. */
const DERIVED_FIELDS: readonly string[] = [
  'updated_at',
  'warnings',
  'client_secret_hint',
  'client_secret_expires_at',
];

/** Lists the fields that have changed meanwhile, so that the user can reconsider. */
function ConcurrentChanges({ before, after }: ConcurrentChangesProps) {
  const labelOf = useFieldLabel();
  const names = changedFields(before, after);
  return (
    <Notice kind="warn" role="alert" title={text('merge.title.neutral')}>
      <p>{text('client.delete.changed')}</p>
      {names.length > 0 && (
        <ul>
          {names.map((name) => (
            <li key={name}>{OWN_LABELS[name] ?? labelOf(name)}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Labels of members that are not fields of the form. */
const OWN_LABELS: Readonly<Record<string, string>> = {
  enabled: text('filter.enabled'),
  client_secrets: text('secrets.title'),
};

function changedFields(before: ClientDocument, after: ClientDocument): string[] {
  const then: Readonly<Record<string, unknown>> = { ...before };
  const now: Readonly<Record<string, unknown>> = { ...after };
  const names = Object.keys({ ...then, ...now });
  return names.filter((name) => !DERIVED_FIELDS.includes(name) && !sameValue(then[name], now[name]));
}

/**
 * Deletes a client and opens the list, which omits it from the start, unless the user has left the client's screen. If someone
 * has changed the client meanwhile, it is refetched instead.
 *
 * @param onOutdated called with the outdated client once the current one has replaced it
 */
function useDeletion({ client, etag }: TaggedClient, onOutdated: (was: ClientDocument) => void) {
  const queries = useQueryClient();
  const router = useRouter();
  const { client_id: clientId } = client;
  const isShown = () =>
    router.matchRoute({ to: '/clients/$clientId', params: { clientId } }, { includeSearch: false }) !== false;
  return useSingleMutation({
    mutationKey: DELETION_KEY,
    /** @returns the outdated client if it has changed; `undefined` once deleted */
    mutationFn: async (): Promise<ClientDocument | undefined> => {
      const headers = etag === undefined ? {} : { 'if-match': etag };
      try {
        await fetchBody({
          method: 'DELETE',
          path: '/client/{client_id}',
          params: { client_id: clientId },
          headers,
        });
      } catch (error) {
        // Already deleted by someone else.
        if (hasStatus(error, 404)) return undefined;
        if (!hasStatus(error, 412)) throw error;
        await queries.fetchQuery({ ...clientQuery(clientId), staleTime: 0 });
        return client;
      }
      return undefined;
    },
    onSuccess: async (outdated) => {
      if (outdated) return onOutdated(outdated);
      renewLists(queries, [clientId]);
      invalidateDependents(queries);
      showToast({ message: text('client.deleted', { name: client.client_name }) });
      // Unsaved changes to a deleted client cannot be kept. Another screen, opened meanwhile, stays.
      if (isShown()) await router.navigate({ to: '/clients', ignoreBlocker: true });
      // Only now: the client's screen would have requested it again.
      queries.removeQueries({ queryKey: ['client', clientId] });
    },
  });
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
