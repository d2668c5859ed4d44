import type { Schema } from '@svc/registry-contract';
import { text } from '../texts/explain.js';
import classes from './explain.module.css';

interface MarkedUrisProps {
  readonly requested: string;
  readonly nearest: Schema<'NearestRedirectUri'>;
}

/** The requested redirect URI above the registered one that resembles it most, with the difference marked. */
export function MarkedUris({ requested, nearest }: MarkedUrisProps) {
  const { redirect_uri: registered, difference, common_start: start, common_end: end } = nearest;
  return (
    <div>
      <dl className={classes.uris}>
        <dt>{text('explain.requested')}</dt>
        <dd>
          <MarkedUri uri={requested} start={start} end={end} />
        </dd>
        <dt>{text('explain.registered')}</dt>
        <dd>
          <MarkedUri uri={registered} start={start} end={end} />
        </dd>
      </dl>
      {difference !== undefined && <p className="hint">{text('explain.difference', { difference })}</p>}
    </div>
  );
}

function MarkedUri({
  uri,
  start,
  end,
}: {
  readonly uri: string;
  readonly start: number;
  readonly end: number;
}) {
  const differing = uri.slice(start, uri.length - end);
  return (
    <bdi className="mono foreign">
      {uri.slice(0, start)}
      {differing !== '' && <mark>{differing}</mark>}
      {uri.slice(uri.length - end)}
    </bdi>
  );
}
