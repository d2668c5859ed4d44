import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { TaggedClient } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import { DeleteClient } from './delete-client.js';

/** What can be done with a Client: the one thing people come for, and the rest behind a button. */
export function ClientActions(tagged: TaggedClient) {
  const [deleting, deletion] = useDisclosure(false);
  return (
    <>
      <Button
        leftSection={<Icon name="pencil" />}
        renderRoot={(props) => (
          <Link to="/clients/$clientId/edit" params={{ clientId: tagged.client.client_id }} {...props} />
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
          <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={deletion.open}>
            {text('client.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <DeleteClient {...tagged} opened={deleting} onClose={deletion.close} />
    </>
  );
}
