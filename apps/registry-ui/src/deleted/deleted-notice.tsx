import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { Notice } from '../elements/notice.js';
import { RelativeTime } from '../elements/relative-time.js';
import { ScopedButton } from '../elements/scopes.js';
import { text } from '../texts/deleted.js';
import { formatDateTime } from '../texts/times.js';
import { deletedClientQuery } from './deleted-clients.js';
import { useRestoration } from './use-restoration.js';

/** In place of a deleted client: until when it can be restored. Shows `otherwise` if it cannot. */
export function DeletedNotice({
  clientId,
  otherwise,
  announced = false,
}: {
  readonly clientId: string;
  readonly otherwise: ReactNode;
  /** It joins a screen that someone is reading. */
  readonly announced?: boolean;
}) {
  const { data, error, isPending, refetch } = useQuery(deletedClientQuery(clientId));
  const restoration = useRestoration();
  if (isPending) return null;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return otherwise;
  return (
    <Notice
      kind="info"
      titleRole={announced ? 'status' : undefined}
      title={text('deleted.one.title', { name: data.client.client_name })}
    >
      <p>
        {text('deleted.at')} <RelativeTime at={data.deleted_at} />{' '}
        <span className="foreign">{text('deleted.by', { by: data.deleted_by.name })}</span>
        {' · '}
        {text('deleted.until')} {formatDateTime(new Date(data.restorable_until))}
      </p>
      <p>{text('deleted.one.how')}</p>
      <ScopedButton
        mt="sm"
        scope="clients:write"
        leftSection={<Icon name="undo" />}
        loading={restoration.isPending}
        onClick={() => restoration.mutate([clientId])}
      >
        {text('deleted.restore')}
      </ScopedButton>
    </Notice>
  );
}
