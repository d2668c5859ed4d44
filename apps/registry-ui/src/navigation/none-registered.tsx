import { Group } from '@mantine/core';
import { Empty } from '../elements/empty.js';
import { text } from '../texts/text.js';
import { ImportButton } from './import-button.js';
import { RegisterButton } from './register-button.js';

/** Stands in for everything that is told of Clients while there are none: how to come by them. */
export function NoneRegistered() {
  return (
    <Empty
      icon="clients"
      title={text('clients.none')}
      action={
        <Group gap="sm" justify="center">
          <RegisterButton variant="default" label={text('clients.none.do')} />
          <ImportButton label={text('clients.none.import')} />
        </Group>
      }
    >
      {text('clients.none.how')}
    </Empty>
  );
}
