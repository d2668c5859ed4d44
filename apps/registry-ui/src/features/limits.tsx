import type { Features } from '../api/client-documents.js';
import { text } from '../texts/text.js';
import classes from './features.module.css';

const SECONDS_PER_DAY = 86_400;

/** The bounds that hold for every Client. */
export function Limits({ limits }: Pick<Features, 'limits'>) {
  const {
    redirect_uris,
    uri_length,
    session_expiration_seconds: session,
    http_redirect_hosts: hosts,
  } = limits;
  return (
    <dl className={classes.limits}>
      <Limit name={text('features.limit.uris')} value={text('features.entries', { count: redirect_uris })} />
      <Limit name={text('features.limit.uri')} value={text('features.characters', { count: uri_length })} />
      <Limit
        name={text('features.limit.session')}
        value={text('tokens.lifetime', { count: Math.floor(session.maximum / SECONDS_PER_DAY) })}
      />
      <Limit
        name={text('features.limit.http')}
        value={['localhost', '127.0.0.0/8', '[::1]', ...hosts].join(', ')}
      />
    </dl>
  );
}

function Limit({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="foreign">{value}</dd>
    </div>
  );
}
