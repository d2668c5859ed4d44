import type { ClientTemplate } from '@svc/client-metadata';
import { Link } from '@tanstack/react-router';
import { text } from '../texts/text.js';
import classes from './register.module.css';

/** The kinds of Clients to begin with, and none of them. */
export function TemplateChoice({ templates }: { readonly templates: readonly ClientTemplate[] }) {
  const blank = { id: 'blank', label: text('register.blank'), description: text('register.blank.what') };
  return (
    <ul className={classes.templates}>
      {[...templates, blank].map(({ id, label, description }) => (
        <li key={id}>
          <Link to="/register" search={{ template: id }} className={classes.template}>
            <strong>{label}</strong>
            <span>{description}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
