import { Link } from '@tanstack/react-router';
import { Icon } from '../elements/icon.js';
import { ScopedButton } from '../elements/scoped-button.js';
import { text } from '../texts/text.js';

/** The way to a new Client. */
export function RegisterButton({ label = text('clients.register') }: { readonly label?: string }) {
  return (
    <ScopedButton
      scope="clients:write"
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => <Link to="/register" {...props} />}
    >
      {label}
    </ScopedButton>
  );
}
