import type { ClientPage } from '../api/client-documents.js';
import { text } from '../texts/text.js';
import classes from './list-toolbar.module.css';

/** How many Clients the list has, read out when it changes. */
export function Total({ page }: { readonly page: ClientPage | undefined }) {
  const { total: count, total_is_exact: exact = true } = page ?? {};
  return (
    <span className={`numeric ${classes.total}`} role="status">
      {count !== undefined && text(exact ? 'clients.loaded' : 'clients.atLeast', { count })}
    </span>
  );
}
