import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ownTokenQuery } from '../api/own-token.js';
import { type DataColumn, DataTable } from '../elements/data-table.js';
import { RelativeTime, useNow } from '../elements/relative-time.js';
import { StatusBadge } from '../elements/status-badge.js';
import { text } from '../texts/tokens.js';
import { restrictionsOf } from './token-restrictions.js';
import type { TokenDocument } from './tokens.js';
import classes from './tokens.module.css';

/** Tokens that expire this soon are highlighted. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

interface TokenTableProps {
  readonly tokens: readonly TokenDocument[];
  readonly onRevoke: (token: TokenDocument) => void;
}

export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const { data: own } = useQuery(ownTokenQuery);
  const ownId = own?.id;
  const columns = useMemo(() => columnsOf(tokens, ownId, onRevoke), [tokens, ownId, onRevoke]);
  return <DataTable label={text('tokens.title')} columns={columns} rows={tokens} keyOf={({ id }) => id} />;
}

interface TokenNameProps {
  readonly token: TokenDocument;
  /** By id. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether this session uses it. */
  readonly isOwn: boolean;
}

function TokenName({ token: { name, created_at, created_by }, names, isOwn }: TokenNameProps) {
  return (
    <>
      <strong className={classes.name}>
        <bdi className="foreign">{name}</bdi>
      </strong>
      {isOwn && (
        <div>
          <StatusBadge kind="calm" icon="check">
            {text('tokens.mine')}
          </StatusBadge>
        </div>
      )}
      <span className={classes.made}>
        {text('tokens.created')} <RelativeTime at={created_at} />
        {created_by !== undefined && (
          <>
            {' '}
            {text('tokens.by')} <bdi className="foreign">{names.get(created_by) ?? created_by}</bdi>
          </>
        )}
      </span>
    </>
  );
}

function columnsOf(
  tokens: readonly TokenDocument[],
  ownId: string | undefined,
  onRevoke: (token: TokenDocument) => void,
): DataColumn<TokenDocument>[] {
  const names = new Map(tokens.map(({ id, name }) => [id, name]));
  return [
    {
      name: text('tokens.column.name'),
      cell: (token) => <TokenName token={token} names={names} isOwn={token.id === ownId} />,
    },
    { name: text('tokens.column.scopes'), cell: (token) => <Rights token={token} /> },
    { name: text('tokens.column.expires'), cell: ({ expires_at }) => <Expiry at={expires_at} /> },
    {
      name: text('tokens.column.used'),
      cell: ({ last_used_at: at }) =>
        at === null ? <span className={classes.soft}>{text('tokens.never')}</span> : <RelativeTime at={at} />,
    },
    {
      name: text('tokens.column.action'),
      cell: (token) => (
        <Button
          size="xs"
          variant="default"
          onClick={() => onRevoke(token)}
          aria-label={text('tokens.revoke.one', { name: token.name })}
        >
          {text('tokens.revoke')}
        </Button>
      ),
    },
  ];
}

/** Its scopes, and what restricts it besides. */
function Rights({ token }: Pick<TokenNameProps, 'token'>) {
  return (
    <>
      <span className={classes.scopes}>
        {token.scopes.map((scope) => (
          <code key={scope}>{scope}</code>
        ))}
      </span>
      {restrictionsOf(token).map((restriction) => (
        <div key={restriction} className={`foreign ${classes.restriction}`}>
          {restriction}
        </div>
      ))}
    </>
  );
}

function Expiry({ at }: { readonly at: string | null }) {
  const now = useNow();
  if (at === null) return <span className={classes.soft}>{text('tokens.never')}</span>;
  const left = new Date(at).getTime() - now;
  if (left <= 0) return <StatusBadge kind="bad">{text('tokens.expired')}</StatusBadge>;
  if (left > SOON_MS) return <RelativeTime at={at} />;
  return (
    <StatusBadge kind="warn" icon="clock">
      <RelativeTime at={at} />
    </StatusBadge>
  );
}
