import type { Schema } from '@svc/registry-contract';
import { ChangeBadge } from '../changes/change-badge.js';
import { formatActor } from '../changes/change-kinds.js';
import { RelativeTime } from '../elements/relative-time.js';
import { text } from '../texts/text.js';
import { Differences } from './differences.js';
import classes from './history.module.css';

export type HistoryEntryDocument = Schema<'HistoryEntry'>;

/** Kinds whose difference is the entire client. */
const WHOLE: readonly string[] = ['registered', 'deleted'];

export function HistoryEntry({ change }: { readonly change: HistoryEntryDocument }) {
  const { kind, at, actor, changed } = change;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <ChangeBadge kind={kind} />
        <RelativeTime at={at} />
        <span className="foreign">{formatActor(actor)}</span>
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
