import { usesSecret } from '@svc/client-metadata';
import { useQuery } from '@tanstack/react-query';
import type { ClientDocument, ClientSecret } from '../api/client-documents.js';
import { secretsQuery } from '../api/client-queries.js';
import { useShowsExactTimes } from '../elements/exact-times.js';
import { RelativeTime, useNow } from '../elements/relative-time.js';
import { Panel } from '../elements/panel.js';
import { StatusBadge } from '../elements/status-badge.js';
import { text } from '../texts/secrets.js';
import { formatDateTime, formatTimeLeft } from '../texts/times.js';
import classes from './secrets.module.css';

const SECOND_MS = 1000;

/** A client's valid secrets, identified by their last characters, and their expiry. A public client uses none. */
export function SecretsPanel({ client }: { readonly client: ClientDocument }) {
  const { client_secrets: secrets, token_endpoint_auth_method: method } = client;
  if (secrets.length === 0 || !usesSecret(method)) return null;
  return (
    <Panel title={text('secrets.title')}>
      <ul className={classes.secrets}>
        {secrets.map((secret) => (
          <SecretRow key={keyOf(secret)} clientId={client.client_id} secret={secret} />
        ))}
      </ul>
    </Panel>
  );
}

interface SecretRowProps {
  readonly clientId: string;
  readonly secret: ClientSecret;
}

function SecretRow({ clientId, secret }: SecretRowProps) {
  const { hint, created_at } = secret;
  return (
    <li className={classes.secret}>
      {hint === '' ? (
        <span>{text('secrets.imported')}</span>
      ) : (
        <code aria-label={text('secrets.ending', { hint })}>…{hint}</code>
      )}
      <span>
        {text('tokens.created')} <RelativeTime at={created_at} />
      </span>
      <span>
        <LastUse clientId={clientId} secret={secret} />
      </span>
      <span>
        <Validity clientId={clientId} secret={secret} />
      </span>
    </li>
  );
}

/** A secret with another product's hash expires, unless a check replaces the hash first. */
function Validity({ clientId, secret }: SecretRowProps) {
  const { found } = useCurrentSecret(clientId, secret);
  const { imported_hash: scheme, imported_hash_ends_at: end } = found ?? {};
  if (scheme !== undefined && end !== undefined) {
    const time = formatDateTime(new Date(end));
    return <StatusBadge kind="warn">{text('secrets.importedHash', { scheme, time })}</StatusBadge>;
  }
  const { expires_at: until } = secret;
  if (until !== undefined) return <Countdown until={until} />;
  return <StatusBadge kind="good">{text('secrets.valid')}</StatusBadge>;
}

function useCurrentSecret(clientId: string, secret: ClientSecret) {
  const { data, error } = useQuery(secretsQuery(clientId));
  return { found: data?.find((each) => keyOf(each) === keyOf(secret)), error };
}

/** "Never" only if the registry says so. */
function LastUse({ clientId, secret }: SecretRowProps) {
  const { found, error } = useCurrentSecret(clientId, secret);
  if (found && found.last_used_at === undefined) return text('usage.neverUsed');
  const unknown = text(error ? 'secrets.unknown' : 'secrets.loading');
  return (
    <>
      {text('usage.lastUsed')} {found?.last_used_at ? <RelativeTime at={found.last_used_at} /> : unknown}
    </>
  );
}

function keyOf({ hint, created_at }: ClientSecret): string {
  return `${hint} ${created_at}`;
}

/** The remaining validity of a secret, updated every second, or its end. */
function Countdown({ until }: { readonly until: string }) {
  const end = new Date(until);
  const left = end.getTime() - useNow(SECOND_MS);
  const exact = useShowsExactTimes();
  if (left <= 0) return <StatusBadge kind="bad">{text('tokens.expired')}</StatusBadge>;
  return (
    <StatusBadge kind="warn" icon="clock">
      <time className="numeric" dateTime={until} title={formatDateTime(end)}>
        {exact
          ? text('secrets.until', { time: formatDateTime(end) })
          : text('secrets.left', { time: formatTimeLeft(left) })}
      </time>
    </StatusBadge>
  );
}
