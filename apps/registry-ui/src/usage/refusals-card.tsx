import { Panel } from '../elements/panel.js';
import { RelativeTime } from '../elements/relative-time.js';
import { text } from '../texts/usage.js';
import { formatDateTime } from '../texts/times.js';
import { describeRefusal } from './describe-refusal.js';
import classes from './usage.module.css';
import type { Usage } from './usage-query.js';

/** What was refused and why, and the redirect URI that matched or nearly did. */
export function RefusalsCard({ refusals }: Pick<Usage, 'refusals'>) {
  return (
    <Panel title={text('usage.refusals')}>
      {refusals.length === 0 ? (
        <p className={`hint ${classes.empty}`}>{text('usage.refusals.none')}</p>
      ) : (
        <ul className={classes.rows}>
          {refusals.map((refusal) => (
            <li key={`${refusal.rule} ${refusal.origin} ${refusal.redirect_uri} ${refusal.difference}`}>
              <div>
                <strong title={formatDateTime(new Date(refusal.first_at))}>{describeRefusal(refusal)}</strong>{' '}
                <code>{refusal.rule}</code>
                {refusal.redirect_uri !== undefined && (
                  <p>
                    {text('usage.closestUri')} <bdi className="mono foreign">{refusal.redirect_uri}</bdi>
                  </p>
                )}
                {refusal.origin !== undefined && (
                  <p className="hint">
                    {text('usage.from')} <bdi className="mono foreign">{refusal.origin}</bdi>
                  </p>
                )}
              </div>
              <span>
                {text('usage.lastRefused')} <RelativeTime at={refusal.last_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
