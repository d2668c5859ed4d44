import { Radio, Skeleton, Stack, Text } from '@mantine/core';
import { showToast } from '../elements/show-toast.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirmation } from '../elements/confirmation.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/tokens.js';
import { descendantsQuery, revokeToken, type TokenDocument, tokensQuery } from './tokens.js';
import classes from './tokens.module.css';

const MAX_NAMES = 20;

/** Whether descendants are revoked too. */
type Extent = 'alone' | 'descendants';

interface RevokeTokenProps {
  /** The token to revoke; `undefined` while closed. */
  readonly token: TokenDocument | undefined;
  readonly onClose: () => void;
}

/** Asks before revoking a token, and whether to revoke its descendants. */
export function RevokeToken({ token, onClose }: RevokeTokenProps) {
  const [extent, setExtent] = useState<Extent>();
  const {
    data: descendants = [],
    error,
    isPending,
    refetch,
  } = useQuery({
    ...descendantsQuery(token?.id ?? ''),
    enabled: token !== undefined,
  });
  const revocation = useRevocation();
  const close = () => {
    setExtent(undefined);
    revocation.reset();
    onClose();
  };
  const confirm = () => {
    if (!token) return;
    revocation.mutate({ token, withDescendants: extent === 'descendants' }, { onSuccess: close });
  };
  return (
    <Confirmation
      opened={token !== undefined}
      title={text('tokens.revoke.title', { name: token?.name ?? '' })}
      confirmLabel={text('tokens.revoke')}
      // A leaked token can be revoked even if its descendants cannot be listed.
      ready={error !== null || (!isPending && (descendants.length === 0 || extent !== undefined))}
      pending={revocation.isPending}
      error={revocation.error}
      onConfirm={confirm}
      onClose={close}
    >
      <Stack gap="md">
        <Text>{text('tokens.revoke.what')}</Text>
        {token && isPending && !error && <Skeleton height={48} />}
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {descendants.length > 0 && (
          <Descendants descendants={descendants} extent={extent} onChange={setExtent} />
        )}
      </Stack>
    </Confirmation>
  );
}

function useRevocation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ token, withDescendants }: { token: TokenDocument; withDescendants: boolean }) =>
      revokeToken(token.id, withDescendants),
    onSuccess: async (revoked, { token: { name } }) => {
      const others = revoked.length - 1;
      const message =
        others > 0 ? text('tokens.revoked.with', { name, count: others }) : text('tokens.revoked', { name });
      showToast({ message });
      // First the list, so that the focus returns to something that still exists.
      await queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
}

interface DescendantsProps {
  readonly descendants: readonly TokenDocument[];
  readonly extent: Extent | undefined;
  readonly onChange: (extent: Extent) => void;
}

function Descendants({ descendants, extent, onChange }: DescendantsProps) {
  const count = descendants.length;
  return (
    <Radio.Group
      label={text('tokens.descendants', { count })}
      value={extent ?? null}
      onChange={(value) => onChange(value === 'descendants' ? 'descendants' : 'alone')}
    >
      <ul className={classes.descendants} tabIndex={0} aria-label={text('tokens.descendants.names')}>
        {descendants.slice(0, MAX_NAMES).map(({ id, name }) => (
          <li key={id}>
            <bdi className="foreign">{name}</bdi>
          </li>
        ))}
        {count > MAX_NAMES && <li>{text('list.more', { count: count - MAX_NAMES })}</li>}
      </ul>
      <Stack gap="sm" mt="sm">
        <Radio value="descendants" label={text('tokens.descendants.revoke', { count })} />
        <Radio value="alone" label={text('tokens.descendants.keep')} />
      </Stack>
    </Radio.Group>
  );
}
