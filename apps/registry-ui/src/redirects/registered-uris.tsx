import type { RedirectMatch } from '@svc/client-metadata';
import { Icon } from '../elements/icon.js';
import { Panel } from '../elements/panel.js';
import { text } from '../texts/redirects.js';
import classes from './redirects.module.css';
import { type Divergence, findDivergence } from './test-redirect-uri.js';

interface RegisteredUrisProps {
  readonly requested: string;
  readonly registered: readonly string[];
  /** The result that applies to the client, if any. */
  readonly match: RedirectMatch | undefined;
}

/** Registered URIs: which one matched, or where the closest one diverges. */
export function RegisteredUris({ requested, registered, match }: RegisteredUrisProps) {
  if (registered.length === 0) return null;
  const nearest = match?.matches === true ? undefined : findDivergence(requested, registered);
  return (
    <Panel title={text('redirects.registered', { count: registered.length })}>
      <ul className={classes.registered}>
        {registered.map((uri, index) => (
          <li key={`${index} ${uri}`} data-matched={match?.registered === uri || undefined}>
            <bdi className="mono foreign">
              {nearest?.registered === uri ? <DivergingUri {...nearest} /> : uri}
            </bdi>
            {match?.registered === uri && (
              <span className={classes.matched}>
                <Icon name="check" size={14} /> {text('redirects.matched')}
              </span>
            )}
            {nearest?.registered === uri && <DivergingRest {...nearest} requested={requested} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function DivergingUri({ registered, common }: Divergence) {
  return (
    <>
      {registered.slice(0, common)}
      {common < registered.length && <mark>{registered.slice(common)}</mark>}
    </>
  );
}

/** The rest of the request from the point of divergence. */
function DivergingRest({ registered, common, requested }: Divergence & { readonly requested: string }) {
  const rest = requested.slice(common);
  if (rest === '' && common === registered.length) return null;
  return (
    <span className={classes.parting}>
      {text('redirects.parting', { place: common + 1 })}{' '}
      {rest === '' ? text('redirects.parting.end') : <bdi className="mono foreign">{rest}</bdi>}
    </span>
  );
}
