import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirmation } from '../elements/confirmation.js';
import { text } from '../texts/text.js';
import { revokeToken, type TokenDocument, tokensQuery } from './tokens.js';

interface RevokeTokenProps {
  /** The token in question; nothing while there is none. */
  readonly token: TokenDocument | undefined;
  readonly onClose: () => void;
}

/** Asks before a token is revoked. */
export function RevokeToken({ token, onClose }: RevokeTokenProps) {
  const queries = useQueryClient();
  const revocation = useMutation({
    mutationFn: async ({ id }: TokenDocument) => revokeToken(id),
    onSuccess: (_, { name }) => {
      void queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
      notifications.show({ message: text('tokens.revoked', { name }) });
      onClose();
    },
  });
  return (
    <Confirmation
      opened={token !== undefined}
      title={text('tokens.revoke.title', { name: token?.name ?? '' })}
      confirmLabel={text('tokens.revoke')}
      pending={revocation.isPending}
      error={revocation.error}
      onConfirm={() => {
        if (token) revocation.mutate(token);
      }}
      onClose={() => {
        revocation.reset();
        onClose();
      }}
    >
      {text('tokens.revoke.what')}
    </Confirmation>
  );
}
