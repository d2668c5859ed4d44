import { UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@svc/registry-contract';
import { fetchBody } from '../api/request.js';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { ExternalLink } from '../elements/external-link.js';
import { StatusBadge } from '../elements/status-badge.js';
import { text } from '../texts/cookies.js';
import classes from './cookies.module.css';

export type CookieHost = Schema<'CookieHost'>;

export const cookieEntrypointsQuery = queryOptions({
  queryKey: ['cookie-entrypoints'],
  queryFn: async ({ signal }) => fetchBody({ path: '/clients/cookie_entrypoints', signal }),
});

const COLUMNS: readonly DataColumn<CookieHost>[] = [
  {
    name: text('cookies.column.host'),
    cell: ({ hostname }) => <bdi className="mono foreign">{hostname}</bdi>,
  },
  {
    name: text('cookies.column.entry'),
    cell: ({ entrypoints }) => <Entrypoints entrypoints={entrypoints} />,
  },
  { name: text('cookies.column.clients'), cell: (host) => <HostClients host={host} /> },
];

export function CookieHosts({ hosts }: { readonly hosts: readonly CookieHost[] }) {
  return (
    <DataTable
      label={text('cookies.title')}
      columns={COLUMNS}
      rows={hosts}
      keyOf={({ hostname }) => hostname}
    />
  );
}

function Entrypoints({ entrypoints }: Pick<CookieHost, 'entrypoints'>) {
  if (entrypoints.length === 0) return <StatusBadge kind="warn">{text('cookies.lacks')}</StatusBadge>;
  return (
    <ul className={classes.list}>
      {entrypoints.map((uri) => (
        <li key={uri}>
          <ExternalLink href={uri} />
        </li>
      ))}
      {entrypoints.length > 1 && <li className="hint">{text('cookies.several')}</li>}
    </ul>
  );
}

function HostClients({ host }: { readonly host: CookieHost }) {
  const [opened, setOpened] = useState(false);
  const { clients, client_count: count } = host;
  return (
    <>
      <UnstyledButton className={classes.opener} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        {text('clients.loaded', { count })}
      </UnstyledButton>
      {opened && (
        <ul className={classes.list}>
          {clients.map((clientId) => (
            <li key={clientId}>
              <Link to="/clients/$clientId" params={{ clientId }} className="mono foreign">
                {clientId}
              </Link>
            </li>
          ))}
          {count > clients.length && (
            <li className="hint">{text('list.more', { count: count - clients.length })}</li>
          )}
        </ul>
      )}
    </>
  );
}
