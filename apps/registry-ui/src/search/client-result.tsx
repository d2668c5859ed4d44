import type { ClientDocument } from '../api/client-documents.js';
import { Marked } from './marked.js';
import classes from './search.module.css';

interface ClientResultProps {
  readonly client: ClientDocument;
  /** What was typed; its words are marked. */
  readonly searched: string;
}

/** A client in a short list: its name, and the id that distinguishes namesakes. */
export function ClientResult({ client, searched }: ClientResultProps) {
  return (
    <span className={classes.found}>
      <bdi className="one-line">
        <Marked text={client.client_name} searched={searched} />
      </bdi>
      <bdi className={`mono one-line ${classes.id}`}>
        <Marked text={client.client_id} searched={searched} />
      </bdi>
    </span>
  );
}
