import { Group } from '@mantine/core';
import type { ClientDocument } from '@svc/client-metadata';
import { CopyButton } from '../elements/copy-button.js';
import { Moment } from '../elements/moment.js';
import { Verdict } from '../elements/verdict.js';
import { text } from '../texts/text.js';

/** The line under a Client's name: what machines call it, and how old it is. */
export function ClientIdentity({ client }: { readonly client: ClientDocument }) {
  return (
    <Group gap="md">
      {!client.enabled && (
        <Verdict kind="warn" icon="pause">
          {text('state.disabled')}
        </Verdict>
      )}
      <Group gap="xs" wrap="nowrap">
        <code className="foreign">{client.client_id}</code>
        <CopyButton value={client.client_id} what={text('clients.column.id')} />
      </Group>
      <span>
        {text('client.registered')} <Moment at={client.created_at} />
      </span>
      {client.updated_at !== client.created_at && (
        <span>
          {text('client.changed')} <Moment at={client.updated_at} />
        </span>
      )}
    </Group>
  );
}
