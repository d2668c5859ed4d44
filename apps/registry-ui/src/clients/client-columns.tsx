import type { ReactElement } from 'react';
import type { ClientDocument, Features } from '../api/client-documents.js';
import { Icon, type IconName } from '../elements/icon.js';
import { type Clock, timeOnClock } from '../elements/relative-time.js';
import { StatusBadge } from '../elements/status-badge.js';
import { toEntries } from '../metadata/map-entries.js';
import { Marked } from '../search/marked.js';
import { piecesOf } from '../search/matches.js';
import { text } from '../texts/clients.js';
import type { ClientColumn } from './client-column.js';
import classes from './client-table.module.css';

/** Columns that do not depend on the registry. */
const OWN_COLUMNS: readonly ClientColumn[] = [
  {
    id: 'client_name',
    label: text('clients.column.name'),
    always: true,
    sort: 'client_name',
    cell: (client, { searched }) => <ClientName client={client} searched={searched.words} />,
  },
  {
    id: 'client_id',
    label: text('clients.column.id'),
    width: 'clamp(194px, 13vw, 360px)',
    room: 'wide',
    usual: true,
    sort: 'client_id',
    cell: ({ client_id }, { searched, copiedId }) => (
      <span className={classes.copied}>
        <span className="mono one-line" data-tip={client_id}>
          <Marked text={client_id} searched={searched.words} />
        </span>
        {client_id === copiedId ? COPIED : COPY}
      </span>
    ),
  },
  {
    id: 'redirect_uris',
    label: text('clients.column.redirects'),
    width: 'max(198px, 40vw - 282px)',
    room: 'widest',
    usual: true,
    cell: ({ redirect_uris: uris }, { searched: { words, host } }) => (
      <RedirectUris uris={uris} searched={`${host} ${words}`.trim()} />
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
    width: '124px',
    room: 'widest',
    cell: ({ client_secrets }, { clock }) => (
      <LastUsed at={client_secrets.flatMap(({ last_used_at: at }) => at ?? [])} clock={clock} />
    ),
  },
  {
    id: 'created_at',
    label: text('clients.column.created'),
    width: '124px',
    room: 'widest',
    sort: 'created_at',
    lastFirst: true,
    cell: ({ created_at }, { clock }) => <SoftTime at={created_at} clock={clock} />,
  },
  {
    id: 'updated_at',
    label: text('clients.column.updated'),
    width: '124px',
    room: 'middle',
    usual: true,
    sort: 'updated_at',
    lastFirst: true,
    cell: ({ updated_at }, { clock }) => <SoftTime at={updated_at} clock={clock} />,
  },
];

const FIELD_WIDTH = '180px';

/** All available columns: the above, and every editable field. */
export function clientColumns(features: Features | undefined): ClientColumn[] {
  const known = new Set(OWN_COLUMNS.map(({ id }) => id));
  const fields = (features?.fields ?? []).filter(
    ({ name, editable }) => editable === 'always' && !known.has(name),
  );
  return [...OWN_COLUMNS, ...fields.map(({ name, label }) => fieldColumn(name, label))];
}

/** What a chosen column shows before the registry has said how its field is called. */
export function loadingColumn(id: string): ClientColumn {
  return fieldColumn(id, '');
}

function fieldColumn(name: string, label: string): ClientColumn {
  return {
    id: name,
    label,
    width: FIELD_WIDTH,
    room: 'widest',
    cell: (client) => <FieldCell value={(client as unknown as Record<string, unknown>)[name]} />,
  };
}

/** The link that a click anywhere on the row follows. */
function ClientName({ client, searched }: { readonly client: ClientDocument; readonly searched: string }) {
  const link = (
    <a
      href={`${import.meta.env.BASE_URL}clients/${encodeURIComponent(client.client_id)}`}
      className={`${classes.name} one-line`}
      dir="auto"
      tabIndex={-1}
      data-tip={client.client_name}
      data-disabled={!client.enabled || undefined}
    >
      <Marked text={client.client_name} searched={searched} />
    </a>
  );
  if (client.enabled) return link;
  return (
    <span className={classes.named}>
      {link}
      <StatusBadge kind="calm" icon="pause">
        {text(client.pending ? 'state.pending' : 'state.disabled')}
      </StatusBadge>
    </span>
  );
}

const COPY = copyButton('copy', text('copy.do', { what: text('clients.column.id') }));

const COPIED = copyButton('check', text('copy.done'));

/** Made once for all rows, so that drawing another row leaves it as it is. */
function copyButton(icon: IconName, name: string) {
  return (
    <button type="button" className={classes.copy} tabIndex={-1} aria-label={name} data-tip={name}>
      <Icon name={icon} size={14} />
    </button>
  );
}

/** RFC 3339 in UTC sorts lexically. */
function LastUsed({ at, clock }: { readonly at: readonly string[]; readonly clock: Clock }) {
  const last = at.toSorted().at(-1);
  if (last === undefined) return <span className={classes.soft}>{text('tokens.never')}</span>;
  return <SoftTime at={last} clock={clock} />;
}

function SoftTime({ at, clock }: { readonly at: string; readonly clock: Clock }) {
  return (
    <time className={`numeric ${classes.soft}`} dateTime={at}>
      {timeOnClock(at, clock)}
    </time>
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

function RedirectUris({ uris, searched }: { readonly uris: readonly string[]; readonly searched: string }) {
  return (
    <span className={classes.copied}>
      <ShortenedUri uri={firstMatching(uris, searched)} searched={searched} />
      <span className={classes.more}>{uris.length > 1 && `+${uris.length - 1}`}</span>
    </span>
  );
}

/** The first URI, unless only another one shows why the client was found. */
function firstMatching(uris: readonly string[], searched: string): string {
  const [first = ''] = uris;
  if (searched === '') return first;
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

/** Made once per number, as the buttons above. */
const warningCounts = new Map<number, ReactElement>();

function WarningCount({ count }: { readonly count: number }) {
  const made = warningCounts.get(count) ?? newWarningCount(count);
  warningCounts.set(count, made);
  return made;
}

/** In each row, though hidden: adding and removing it would take as long as the rest of a row. */
function newWarningCount(count: number): ReactElement {
  const label = text('clients.warnings', { count });
  return (
    <span className={classes.warning} data-tip={label} hidden={count === 0 || undefined}>
      <Icon name="warning" size={14} label={label} />
      <span aria-hidden>{count}</span>
    </span>
  );
}
