import { Link } from '@tanstack/react-router';
import { Icon } from '../elements/icon.js';
import { ScopedButton } from '../elements/scoped-button.js';
import { text } from '../texts/text.js';

interface RegisterButtonProps {
  readonly label?: string;
  /** Quiet where the screen has another primary action. */
  readonly variant?: 'filled' | 'default';
}

/** The way to a new Client. */
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
