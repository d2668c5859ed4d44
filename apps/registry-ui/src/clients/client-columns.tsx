import { Link } from '@tanstack/react-router';
import type { ClientDocument, Features } from '../api/client-documents.js';
import { CopyButton } from '../elements/copy-button.js';
import { Icon } from '../elements/icon.js';
import { RelativeTime } from '../elements/relative-time.js';
import { StatusBadge } from '../elements/status-badge.js';
import { toEntries } from '../metadata/map-entries.js';
import { Marked } from '../search/marked.js';
import { piecesOf } from '../search/matches.js';
import { text } from '../texts/text.js';
import type { ClientColumn } from './client-column.js';
import classes from './client-table.module.css';

/** Columns that do not depend on the registry. */
const OWN_COLUMNS: readonly ClientColumn[] = [
  {
    id: 'client_name',
    label: text('clients.column.name'),
    always: true,
    sort: 'client_name',
    cell: (client, { words }) => <ClientName client={client} searched={words} />,
  },
  {
    id: 'client_id',
    label: text('clients.column.id'),
    width: 'clamp(194px, 13vw, 360px)',
    room: 'wide',
    usual: true,
    sort: 'client_id',
    cell: ({ client_id }, { words }) => (
      <span className={classes.copied}>
        <span className="mono one-line" data-tip={client_id}>
          <Marked text={client_id} searched={words} />
        </span>
        <span className={classes.above}>
          <CopyButton value={client_id} what={text('clients.column.id')} plain />
        </span>
      </span>
    ),
  },
  {
    id: 'redirect_uris',
    label: text('clients.column.redirects'),
    width: 'max(198px, 40vw - 314px)',
    room: 'widest',
    usual: true,
    cell: ({ redirect_uris: uris }, { words, host }) => (
      <span className={classes.copied}>
        <ShortenedUri uri={firstMatching(uris, `${host} ${words}`)} searched={`${host} ${words}`} />
        {uris.length > 1 && <span className={classes.more}>+{uris.length - 1}</span>}
      </span>
    ),
  },
  {
    id: 'authentication',
    label: text('clients.column.authentication'),
    width: '104px',
    room: 'widest',
    usual: true,
    cell: ({ token_endpoint_auth_method: method }) =>
      method === 'none' ? (
        <span className={classes.soft}>{text('clients.public')}</span>
      ) : (
        text('clients.confidential')
      ),
  },
  {
    id: 'warnings',
    label: text('clients.column.warnings'),
    width: '76px',
    usual: true,
    cell: ({ warnings }) => <WarningCount count={warnings.length} />,
  },
  {
    id: 'last_used',
    label: text('clients.column.used'),
    width: '152px',
    room: 'widest',
    cell: ({ client_secrets }) => (
      <LastUsed at={client_secrets.flatMap(({ last_used_at: at }) => at ?? [])} />
    ),
  },
  {
    id: 'created_at',
    label: text('clients.column.created'),
    width: '152px',
    room: 'widest',
    sort: 'created_at',
    lastFirst: true,
    cell: ({ created_at }) => (
      <span className={classes.soft}>
        <RelativeTime at={created_at} />
      </span>
    ),
  },
  {
    id: 'updated_at',
    label: text('clients.column.updated'),
    width: '152px',
    room: 'middle',
    usual: true,
    sort: 'updated_at',
    lastFirst: true,
    cell: ({ updated_at }) => (
      <span className={classes.soft}>
        <RelativeTime at={updated_at} />
      </span>
    ),
  },
];

const FIELD_WIDTH = '180px';

/** All available columns: the above, and every editable field. */
export function clientColumns(features: Features | undefined): ClientColumn[] {
  const known = new Set(OWN_COLUMNS.map(({ id }) => id));
  const ofFields = (features?.fields ?? [])
    .filter(({ name, editable }) => editable === 'always' && !known.has(name))
    .map(({ name, label }) => ({
      id: name,
      label,
      width: FIELD_WIDTH,
      room: 'widest' as const,
      cell: (client: ClientDocument) => (
        <FieldCell value={(client as unknown as Record<string, unknown>)[name]} />
      ),
    }));
  return [...OWN_COLUMNS, ...ofFields];
}

/** The link that a click anywhere on the row follows. */
function ClientName({ client, searched }: { readonly client: ClientDocument; readonly searched: string }) {
  return (
    <span className={classes.named}>
      <Link
        to="/clients/$clientId"
        params={{ clientId: client.client_id }}
        className={`${classes.name} one-line`}
        tabIndex={-1}
        data-tip={client.client_name}
        data-disabled={!client.enabled || undefined}
      >
        <bdi>
          <Marked text={client.client_name} searched={searched} />
        </bdi>
      </Link>
      {!client.enabled && (
        <StatusBadge kind="calm" icon="pause">
          {text(client.pending ? 'state.pending' : 'state.disabled')}
        </StatusBadge>
      )}
    </span>
  );
}

/** RFC 3339 in UTC sorts lexically. */
function LastUsed({ at }: { readonly at: readonly string[] }) {
  const last = at.toSorted().at(-1);
  return (
    <span className={classes.soft}>
      {last === undefined ? text('tokens.never') : <RelativeTime at={last} />}
    </span>
  );
}

function FieldCell({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return text(value ? 'field.yes' : 'field.no');
  const values = Array.isArray(value) ? value : toEntries(value);
  const written = values ? values.join(', ') : String(value);
  return (
    <bdi className={`one-line ${classes.fieldValue}`} data-tip={written}>
      {written}
    </bdi>
  );
}

/** The most common scheme is omitted; any other is shown. */
const COMMONEST_SCHEME = /^https:\/\//;

/** Scheme and host. */
const ORIGIN = /^(?:[^/?#]*:\/\/)?[^/?#]*/;

/** The end of a path stays visible: it distinguishes URIs of one host. */
const END = 16;

/** The first URI, unless only another one shows why the client was found. */
function firstMatching(uris: readonly string[], searched: string): string {
  const [first = ''] = uris;
  if (searched.trim() === '') return first;
  return uris.find((uri) => piecesOf(uri, searched).some(({ matches }) => matches)) ?? first;
}

/** A URI on one line, shortened in the middle: the host and the end of the path say most. */
function ShortenedUri({ uri, searched }: { readonly uri: string; readonly searched: string }) {
  const shown = uri.replace(COMMONEST_SCHEME, '');
  const origin = ORIGIN.exec(shown)?.[0].length ?? 0;
  const cut = Math.max(shown.length - END, origin);
  return (
    <bdi className={classes.uri} data-tip={uri}>
      <span className="one-line">
        <Marked text={shown.slice(0, cut)} searched={searched} />
      </span>
      <span>
        <Marked text={shown.slice(cut)} searched={searched} />
      </span>
    </bdi>
  );
}

function WarningCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span className={classes.warning} data-tip={text('clients.warnings', { count })}>
      <Icon name="warning" size={14} label={text('clients.warnings', { count })} />
      <span aria-hidden>{count}</span>
    </span>
  );
}
