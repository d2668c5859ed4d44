import type { ClientDocument } from '@svc/client-metadata';
import classes from './search.module.css';

/** A Client in a list of a few: its name, and the id that tells it from others of that name. */
export function ClientResult({ client }: { readonly client: ClientDocument }) {
  return (
    <span className={classes.found}>
      <bdi className="one-line">{client.client_name}</bdi>
      <bdi className={`mono one-line ${classes.id}`}>{client.client_id}</bdi>
    </span>
  );
}
