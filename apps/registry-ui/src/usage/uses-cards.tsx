import type { ClientDocument } from '../api/client-documents.js';
import { Panel } from '../elements/panel.js';
import { StatusBadge } from '../elements/status-badge.js';
import { text } from '../texts/usage.js';
import { formatNumber } from '../texts/text.js';
import { LastUse } from './last-use-card.js';
import { AddTemporaryUri, TemporaryUriEnd } from './temporary-uris.js';
import classes from './usage.module.css';
import type { Usage } from './usage-query.js';

interface CardProps {
  readonly client: ClientDocument;
  readonly usage: Usage;
}

/** Each redirect URI with its last use and its end; one can be added or removed without the others. */
export function RedirectUrisCard({ client, usage }: CardProps) {
  return (
    <Panel title={text('usage.redirects')} actions={<AddTemporaryUri client={client} />}>
      <ul className={classes.rows}>
        {usage.redirect_uris.map((use) => (
          <li key={use.redirect_uri}>
            <div>
              <bdi className="mono foreign">{use.redirect_uri}</bdi>
              {!use.is_registered && <StatusBadge kind="calm">{text('usage.former')}</StatusBadge>}
              <TemporaryUriEnd client={client} uri={use.redirect_uri} />
            </div>
            <span>{matchesOf(use.matches)}</span>
            <span>
              <LastUse at={use.last_at} />
            </span>
          </li>
        ))}
        {usage.origins.map(({ origin, count, last_at: last }) => (
          <li key={origin}>
            <div>
              <bdi className="mono foreign">{origin}</bdi>{' '}
              <StatusBadge kind="warn">{text('usage.unchecked')}</StatusBadge>
            </div>
            <span className="numeric">{text('usage.requests', { count })}</span>
            <span>
              <LastUse at={last} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function matchesOf(matches: Usage['redirect_uris'][number]['matches'] = {}): string {
  const kinds = Object.entries(matches).filter(([, count]) => count > 0);
  if (kinds.length === 0) return text('usage.unused');
  return kinds.map(([kind, count]) => `${formatNumber(count)} ${kind.replaceAll('_', ' ')}`).join(', ');
}

/** Each valid secret with its last use. */
export function SecretsCard({ usage: { secrets } }: Pick<CardProps, 'usage'>) {
  if (secrets.length === 0) return null;
  return (
    <Panel title={text('secrets.title')}>
      <ul className={classes.rows}>
        {secrets.map(({ hint, created_at: created, count, last_used_at: last }) => (
          <li key={`${hint} ${created}`}>
            {hint === '' ? <span>{text('secrets.imported')}</span> : <code>…{hint}</code>}
            <span className="numeric">{text('usage.requests', { count })}</span>
            <span>
              <LastUse at={last} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
