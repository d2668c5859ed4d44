import type { ClientDocument } from '../api/client-documents.js';
import classes from './search.module.css';

/** A client in a short list: its name, and the id that distinguishes namesakes. */
export function ClientResult({ client }: { readonly client: ClientDocument }) {
  return (
    <span className={classes.found}>
      <bdi className="one-line">{client.client_name}</bdi>
      <bdi className={`mono one-line ${classes.id}`}>{client.client_id}</bdi>
    </span>
  );
}
