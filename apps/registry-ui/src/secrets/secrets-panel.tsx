import { useQuery } from '@tanstack/react-query';
import type { ClientDocument, SecretDocument } from '@svc/client-metadata';
import { secretsQuery } from '../api/client-queries.js';
import { Moment, useNow } from '../elements/moment.js';
import { Panel } from '../elements/panel.js';
import { Verdict } from '../elements/verdict.js';
import { text } from '../texts/text.js';
import { formatLeft } from '../texts/times.js';
import classes from './secrets.module.css';

const SECOND_MS = 1000;

/** Which secrets of a Client are valid, told by their ends, and for how long. */
export function SecretsPanel({ client }: { readonly client: ClientDocument }) {
  const { client_secrets: secrets, token_endpoint_auth_method: method } = client;
  if (secrets.length === 0) return null;
  return (
    <Panel title={text('secrets.title')}>
      <ul className={classes.secrets}>
        {secrets.map((secret) => (
          <SecretRow key={keyOf(secret)} clientId={client.client_id} secret={secret} />
        ))}
      </ul>
      {method === 'none' && <p className={`hint ${classes.unused}`}>{text('secrets.unused')}</p>}
    </Panel>
  );
}

interface SecretRowProps {
  readonly clientId: string;
  readonly secret: SecretDocument;
}

function SecretRow({ clientId, secret }: SecretRowProps) {
  const { hint, created_at, expires_at } = secret;
  return (
    <li className={classes.secret}>
      <code aria-label={text('secrets.ending', { hint })}>…{hint}</code>
      <span>
        {text('tokens.made')} <Moment at={created_at} />
      </span>
      <span>
        {text('secrets.used')} <LastUse clientId={clientId} secret={secret} />
      </span>
      <span>
        {expires_at === undefined ? (
          <Verdict kind="good">{text('secrets.valid')}</Verdict>
        ) : (
          <Countdown until={expires_at} />
        )}
      </span>
    </li>
  );
}

/** "Never" only where the registry has said so. */
function LastUse({ clientId, secret }: SecretRowProps) {
  const { data, error } = useQuery(secretsQuery(clientId));
  const found = data?.find((each) => keyOf(each) === keyOf(secret));
  if (!found) return text(error ? 'secrets.unknown' : 'secrets.loading');
  const { last_used_at: at } = found;
  return at === undefined ? text('secrets.never') : <Moment at={at} />;
}

function keyOf({ hint, created_at }: SecretDocument): string {
  return `${hint} ${created_at}`;
}

/** How long a secret is still valid, second by second. */
function Countdown({ until }: { readonly until: string }) {
  const left = new Date(until).getTime() - useNow(SECOND_MS);
  if (left <= 0) return <Verdict kind="bad">{text('tokens.expired')}</Verdict>;
  return (
    <Verdict kind="warn" icon="clock">
      <span className="numeric">{text('secrets.left', { time: formatLeft(left) })}</span>
    </Verdict>
  );
}
