import { Link } from '@tanstack/react-router';
import { text } from '../texts/text.js';
import classes from './back-links.module.css';

export function BackToClients() {
  return (
    <nav aria-label={text('client.back.name')} className={classes.back}>
      <Link to="/clients">{text('clients.title')}</Link>
    </nav>
  );
}
