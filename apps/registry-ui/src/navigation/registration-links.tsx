import { Link } from '@tanstack/react-router';
import { Group } from '@mantine/core';
import { EmptyState } from '../elements/empty-state.js';
import { Icon } from '../elements/icon.js';
import { ScopedButton } from '../elements/scopes.js';
import { text } from '../texts/text.js';

interface RegisterButtonProps {
  readonly label?: string;
  /** `default` where the screen has another primary action. */
  readonly variant?: 'filled' | 'default';
}

export function RegisterButton({
  label = text('clients.register'),
  variant = 'filled',
}: RegisterButtonProps) {
  return (
    <ScopedButton
      scope="clients:write"
      variant={variant}
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => <Link to="/register" {...props} />}
    >
      {label}
    </ScopedButton>
  );
}

export function ImportButton({ label = text('clients.import') }: { readonly label?: string }) {
  return (
    <ScopedButton
      scope="clients:write"
      variant="default"
      leftSection={<Icon name="upload" />}
      renderRoot={(props) => <Link to="/import" {...props} />}
    >
      {label}
    </ScopedButton>
  );
}

/** Shown while the registry has no clients: how to add the first. */
export function NoClientsYet() {
  return (
    <EmptyState
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
    </EmptyState>
  );
}
