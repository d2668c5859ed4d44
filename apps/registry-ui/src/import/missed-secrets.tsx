import { Link } from '@tanstack/react-router';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/import.js';
import { type ImportAnswer, registeredIn } from './import-clients.js';
import classes from './import.module.css';

/** The title counts all. */
const SHOWN = 100;

interface MissedSecretsProps {
  /** Clients to be registered by attempts without a response. */
  readonly awaited: readonly string[];
  /** What a later attempt does, or would do. */
  readonly answer: ImportAnswer;
}

/** Names the clients that an earlier attempt registered: the response with their secrets was lost. */
export function MissedSecrets({ awaited, answer }: MissedSecretsProps) {
  const registered = new Set(registeredIn(answer));
  const missed = awaited.filter((id) => !registered.has(id));
  if (missed.length === 0) return null;
  return (
    <Notice kind="warn" role="alert" title={text('import.missed', { count: missed.length })}>
      <p>{text('import.missed.how')}</p>
      <ul className={classes.missed}>
        {missed.slice(0, SHOWN).map((clientId) => (
          <li key={clientId}>
            <Link to="/clients/$clientId" params={{ clientId }} className="mono foreign">
              {clientId}
            </Link>
          </li>
        ))}
      </ul>
      {missed.length > SHOWN && <p>{text('list.more', { count: missed.length - SHOWN })}</p>}
    </Notice>
  );
}
