import { Link } from '@tanstack/react-router';
import classes from './back-links.module.css';
import { text } from '../texts/text.js';

/** The way back from a Client's form. */
export function BackToClient({ clientId }: { readonly clientId: string }) {
  return (
    <nav aria-label={text('client.back.name')} className={classes.back}>
      <Link to="/clients/$clientId" params={{ clientId }}>
        {text('edit.back')}
      </Link>
    </nav>
  );
}
