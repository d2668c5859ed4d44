import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { CopyButton } from '../elements/copy-button.js';
import { Moment } from '../elements/moment.js';
import type { TextName } from '../texts/text.js';
import { text } from '../texts/text.js';
import classes from './client-table.module.css';
import { WarningCount } from './warning-count.js';

/** One column of the list. */
export interface ClientColumn {
  readonly id: string;
  readonly name: TextName;
  /** In CSS pixels; a column without a width shares what is left. */
  readonly width?: number;
  /** Left out where the window is narrow. */
  readonly wideOnly?: boolean;
  readonly cell: (client: ClientDocument) => ReactNode;
}

export const CLIENT_COLUMNS: readonly ClientColumn[] = [
  { id: 'client_name', name: 'clients.column.name', cell: (client) => <ClientName client={client} /> },
  {
    id: 'client_id',
    name: 'clients.column.id',
    width: 248,
    wideOnly: true,
    cell: ({ client_id }) => (
      <span className={classes.copied}>
        <span className="mono one-line">{client_id}</span>
        <span className={classes.above}>
          <CopyButton value={client_id} what={text('clients.column.id')} />
        </span>
      </span>
    ),
  },
  {
    id: 'redirect_uris',
    name: 'clients.column.redirects',
    wideOnly: true,
    cell: ({ redirect_uris: [first = '', ...rest] }) => (
      <span className={classes.copied}>
        <bdi className="one-line" title={first}>
          {first}
        </bdi>
        {rest.length > 0 && <span className={classes.more}>+{rest.length}</span>}
      </span>
    ),
  },
  {
    id: 'token_endpoint_auth_method',
    name: 'clients.column.authentication',
    width: 150,
    wideOnly: true,
    cell: ({ token_endpoint_auth_method: method }) =>
      method === 'none' ? (
        <span className={classes.soft}>{text('clients.public')}</span>
      ) : (
        text('clients.confidential')
      ),
  },
  {
    id: 'warnings',
    name: 'clients.column.warnings',
    width: 104,
    cell: ({ warnings }) => <WarningCount count={warnings.length} />,
  },
  {
    id: 'updated_at',
    name: 'clients.column.updated',
    width: 132,
    wideOnly: true,
    cell: ({ updated_at }) => (
      <span className={classes.soft}>
        <Moment at={updated_at} />
      </span>
    ),
  },
];

/** The link that a click anywhere on the row follows. */
function ClientName({ client }: { readonly client: ClientDocument }) {
  return (
    <Link
      to="/clients/$clientId"
      params={{ clientId: client.client_id }}
      className={`${classes.name} one-line`}
      title={client.client_name}
    >
      <bdi>{client.client_name}</bdi>
    </Link>
  );
}
