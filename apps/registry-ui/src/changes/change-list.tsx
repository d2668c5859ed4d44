import { Link } from '@tanstack/react-router';
import { RelativeTime } from '../elements/relative-time.js';
import { text } from '../texts/text.js';
import { ChangeBadge } from './change-badge.js';
import { formatActor } from './change-kinds.js';
import classes from './changes.module.css';
import type { FeedChange } from './recent-changes.js';

/** Changes, each linking to the history of its client. */
export function ChangeList({ changes }: { readonly changes: readonly FeedChange[] }) {
  return (
    <ol className={classes.changes} aria-label={text('changes.title')}>
      {changes.map((change) => (
        <ChangeRow key={change.seq} change={change} />
      ))}
    </ol>
  );
}

function ChangeRow({ change }: { readonly change: FeedChange }) {
  const { kind, at, actor, client, client_id: clientId } = change;
  return (
    <li className={classes.change}>
      <ChangeBadge kind={kind} />
      <span className={classes.what}>
        <Link to="/clients/$clientId" params={{ clientId }} search={{ tab: 'history' }} className="foreign">
          <bdi className={client ? undefined : 'mono'}>{client?.client_name ?? clientId}</bdi>
        </Link>
        <span className={`foreign ${classes.who}`}>{actor && formatActor(actor)}</span>
      </span>
      <span className={classes.when}>
        <RelativeTime at={at} />
      </span>
    </li>
  );
}
