import type { Schema } from '@svc/registry-contract';
import type { TaggedClient } from '../api/client-documents.js';
import { ChangeBadge } from '../changes/change-badge.js';
import { formatActor } from '../changes/change-kinds.js';
import { RelativeTime } from '../elements/relative-time.js';
import { text } from '../texts/history.js';
import { Differences } from './differences.js';
import classes from './history.module.css';
import { RestoreVersion } from './restore-version.js';

export type HistoryEntryDocument = Schema<'HistoryEntry'>;

/** Kinds whose difference is the entire client. */
const WHOLE: readonly string[] = ['registered', 'deleted', 'restored'];

interface HistoryEntryProps {
  readonly change: HistoryEntryDocument;
  /** The client, for a former version that can be put back. */
  readonly tagged: TaggedClient | undefined;
}

export function HistoryEntry({ change, tagged }: HistoryEntryProps) {
  const { seq, kind, at, actor, changed } = change;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <ChangeBadge kind={kind} />
        <RelativeTime at={at} />
        <span className="foreign">{formatActor(actor)}</span>
        {tagged && <RestoreVersion {...tagged} seq={seq} />}
      </div>
      {changed.length > 0 &&
        (WHOLE.includes(kind) ? (
          <details>
            <summary>{text('history.fields', { count: changed.length })}</summary>
            <Differences changed={changed} />
          </details>
        ) : (
          <Differences changed={changed} />
        ))}
    </li>
  );
}
