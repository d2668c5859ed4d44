import { Link } from '@tanstack/react-router';
import { Icon } from '../elements/icon.js';
import { ScopedButton } from '../elements/scoped-button.js';
import { text } from '../texts/text.js';

/** The way to many new Clients at once. */
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
