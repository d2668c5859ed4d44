import { usesSecret } from '@svc/client-metadata';
import { ActionIcon, Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { invalidateClients } from '../api/invalidate-clients.js';
import type { TaggedClient } from '../api/client-documents.js';
import { clientQuery } from '../api/client-queries.js';
import { useLacksScope } from '../api/own-token.js';
import { callApi } from '../api/request.js';
import { Icon } from '../elements/icon.js';
import { useScreenCommands } from '../elements/screen-commands.js';
import { showFailure } from '../elements/failure.js';
import { showUndoable } from '../elements/undoable.js';
import { RotateSecret } from '../secrets/rotate-secret.js';
import { text } from '../texts/client.js';
import { DeleteClient } from './delete-client.js';

type Dialog = 'delete' | 'rotate';

const SCOPE = 'clients:write';

/** The actions on a client as a whole, in a menu; its settings are edited where they stand. */
export function ClientActions(tagged: TaggedClient) {
  const { client } = tagged;
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const menu = useRef<HTMLButtonElement>(null);
  const enabling = useEnabling(tagged);
  const { enabled } = client;
  const hasSecret = usesSecret(client.token_endpoint_auth_method);
  const rotate = {
    id: 'rotate',
    name: text('secret.rotate'),
    icon: 'key',
    act: () => setDialog('rotate'),
  } as const;
  const commands = [
    ...(hasSecret ? [rotate] : []),
    {
      id: 'enabling',
      name: text(enabled ? 'client.disable' : 'client.enable'),
      icon: enabled ? 'pause' : 'check',
      needsChoosing: true,
      act: () => enabling.mutate(!enabled),
    },
    { id: 'delete', name: text('client.delete'), icon: 'trash', act: () => setDialog('delete') },
  ] as const;
  useScreenCommands(useLacksScope(SCOPE) ? [] : commands);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon ref={menu} variant="default" size={36} aria-label={text('client.more')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Actions
            enabled={enabled}
            hasSecret={hasSecret}
            onEnable={() => enabling.mutate(!enabled)}
            onAsk={setDialog}
          />
        </Menu.Dropdown>
      </Menu>
      <DeleteClient {...tagged} opened={dialog === 'delete'} returnTo={menu} onClose={close} />
      <RotateSecret {...tagged} opened={dialog === 'rotate'} returnTo={menu} onClose={close} />
    </>
  );
}

interface ActionsProps {
  readonly enabled: boolean;
  /** A public client uses none. */
  readonly hasSecret: boolean;
  /** Toggles it. */
  readonly onEnable: () => void;
  readonly onAsk: (dialog: Dialog) => void;
}

function Actions({ enabled, hasSecret, onEnable, onAsk }: ActionsProps) {
  const lacks = useLacksScope(SCOPE);
  return (
    <>
      {lacks && <Menu.Label>{text('scope.lacking', { scope: SCOPE })}</Menu.Label>}
      {hasSecret && (
        <Menu.Item disabled={lacks} leftSection={<Icon name="key" />} onClick={() => onAsk('rotate')}>
          {text('secret.rotate')}
        </Menu.Item>
      )}
      <Menu.Item
        disabled={lacks}
        leftSection={<Icon name={enabled ? 'pause' : 'check'} />}
        onClick={onEnable}
      >
        {text(enabled ? 'client.disable' : 'client.enable')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        c="var(--bad)"
        disabled={lacks}
        leftSection={<Icon name="trash" />}
        onClick={() => onAsk('delete')}
      >
        {text('client.delete')}
      </Menu.Item>
    </>
  );
}

/**
 * Enables or disables a client. Optimistic, since it can be undone; rolled back if the registry refuses. A pending client is
 * approved as shown: its developer may have changed it meanwhile.
 */
function useEnabling({ client, etag }: TaggedClient) {
  const queries = useQueryClient();
  const { client_id: clientId, client_name: name, pending } = client;
  const { queryKey } = clientQuery(clientId);
  const enabling = useMutation({
    mutationFn: async (enabled: boolean) =>
      callApi({
        method: 'POST',
        path: enabled ? '/client/{client_id}/enable' : '/client/{client_id}/disable',
        params: { client_id: clientId },
        headers: enabled && pending === true && etag !== undefined ? { 'if-match': etag } : {},
      }),
    onMutate: async (enabled) => {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData<TaggedClient>(queryKey);
      if (before) queries.setQueryData(queryKey, { ...before, client: { ...before.client, enabled } });
      return before;
    },
    onError: (error, _enabled, before) => {
      queries.setQueryData(queryKey, before);
      void queries.invalidateQueries({ queryKey });
      showFailure(error);
    },
    onSuccess: ({ body, etag }, enabled) => {
      queries.setQueryData(queryKey, { client: body, etag } satisfies TaggedClient);
      invalidateClients(queries);
      showUndoable(text(enabled ? 'client.isEnabled' : 'client.isDisabled', { name }), () =>
        enabling.mutate(!enabled),
      );
    },
  });
  return enabling;
}
