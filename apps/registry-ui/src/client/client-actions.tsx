import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { RotateSecret } from '../secrets/rotate-secret.js';
import { text } from '../texts/text.js';
import { DeleteClient } from './delete-client.js';
import { useEnabling } from './use-enabling.js';

type Dialog = 'delete' | 'rotate';

/** What can be done with a Client: the one thing people come for, and the rest behind a button. */
export function ClientActions(tagged: TaggedClient) {
  const { client } = tagged;
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const enabling = useEnabling(client);
  return (
    <>
      <Button
        leftSection={<Icon name="pencil" />}
        renderRoot={(props) => (
          <Link to="/clients/$clientId/edit" params={{ clientId: client.client_id }} {...props} />
        )}
      >
        {text('client.edit')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={text('client.more')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="key" />} onClick={() => setDialog('rotate')}>
            {text('secret.rotate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name={client.enabled ? 'pause' : 'check'} />}
            onClick={() => enabling.mutate(!client.enabled)}
          >
            {text(client.enabled ? 'client.disable' : 'client.enable')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => setDialog('delete')}>
            {text('client.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteClient {...tagged} opened={dialog === 'delete'} onClose={close} />
      <RotateSecret client={client} opened={dialog === 'rotate'} onClose={close} />
    </>
  );
}
