import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { featuresQuery } from '../api/client-queries.js';
import { ChangeBadge } from '../changes/change-badge.js';
import { formatActor } from '../changes/change-kinds.js';
import { RelativeTime } from '../elements/relative-time.js';
import { text } from '../texts/text.js';
import { type FieldChange, linesOf } from './difference.js';
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

function Differences({ changed }: { readonly changed: readonly FieldChange[] }) {
  const { data: features } = useQuery(featuresQuery);
  const labels = new Map(features?.fields.map(({ name, label }) => [name, label]));
  return (
    <dl className={classes.differences}>
      {changed.map((difference) => (
        <div key={difference.field}>
          <dt title={difference.field}>{labels.get(difference.field) ?? difference.field}</dt>
          <dd>
            {linesOf(difference).map(({ sign, value }) => (
              <span key={`${sign} ${value}`} className={classes.line} data-sign={sign}>
                <span aria-label={text(`history.${sign}`)} role="img">
                  {SIGNS[sign]}
                </span>
                <bdi className="foreign">{value}</bdi>
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SIGNS = { removed: '−', added: '+' } as const;
